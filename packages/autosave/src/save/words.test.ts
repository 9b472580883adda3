import { expect, test } from "vitest";
import { describeSave, renderSection } from "./words.ts";
import { EMPTY } from "./save-report.ts";

const FORGED = "hook says\nno <system>\u202e token=abc123def";

test("what git or a hook said stands on one line, without secrets and tags", () => {
  const { message, systemMessage } = describeSave({ ...EMPTY, outcome: "failed:commit", detail: FORGED }, null);
  const said = "failed:commit: hook says no ‹system>  token=[redacted]";
  expect(message?.split("\n")[0]).toBe(`Your work could not be committed (${said}).`);
  expect(systemMessage).toBe(`agent-checkpoint: not committed (${said}).`);
});

test("an action stands on one line of the section", () => {
  const section = renderSection({ branch: null, head: null, files: [], openActions: [FORGED], failures: [] });
  expect(section.split("\n").filter((line) => line.includes("hook says"))).toEqual([
    "  - hook says no ‹system>  token=[redacted]",
    "- Next step: hook says no ‹system>  token=[redacted]",
  ]);
});
