import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { pluginFiles } from "./testing/plugin-files.ts";

test.for(pluginFiles().map(({ path, text }) => ({ name: basename(path), path, text })))(
  "$name of a plugin is up to date (node packages/agents/scripts/write-plugins.ts)",
  ({ path, text }) => {
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);
