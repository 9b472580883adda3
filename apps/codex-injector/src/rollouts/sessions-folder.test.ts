import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { sessionsFolder } from "./list-rollouts.ts";

const cases = [
  { env: { CODEX_HOME: "/codex", HOME: "/home/dev" }, folder: "/codex/sessions" },
  { env: { CODEX_HOME: "codex" }, folder: resolve("codex/sessions") },
  { env: { CODEX_HOME: "", HOME: "/home/dev" }, folder: "/home/dev/.codex/sessions" },
  { env: {}, folder: join(homedir(), ".codex/sessions") },
];

test.for(cases)("$env", ({ env, folder }) => {
  expect(sessionsFolder(env)).toBe(folder);
});
