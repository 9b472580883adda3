import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCommandLine } from "../shell/parse-command-line.ts";
import { languagesOfFile } from "@agent-checkpoint/reports";
import { runOf } from "./run-of.ts";

const LIST = new URL("../../../../../shared/review/ways-to-test.txt", import.meta.url);

const ways = existsSync(LIST)
  ? readFileSync(LIST, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split("\t"))
  : [];

test.skipIf(ways.length === 0)("of the ways in which people start tests, nearly all are seen", () => {
  const unseen = ways.filter(([group = "", extension = "", line = ""]) => {
    const languages = languagesOfFile(`a${extension}`);
    return !parseCommandLine(line).some((command) => {
      const run = runOf(command);
      // The last group has one extension for many languages.
      const fits =
        group === "c and others" ||
        run?.languages.length === 0 ||
        run?.languages.some((one) => languages.includes(one));
      return run?.kind === "tests" && fits === true;
    });
  });
  expect(unseen.length).toBeLessThanOrEqual(ways.length - 320);
});
