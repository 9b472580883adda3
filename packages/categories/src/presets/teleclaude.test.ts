import { expect, test } from "vitest";
import { PRESETS } from "./presets.ts";

test("the actions stand in the order of the checklist", () => {
  expect(PRESETS.teleclaude.actions.map(({ instruction }) => instruction)).toEqual([
    "Run `telec init` (setup changed: watchers, hook installers, or git filters)",
    "Install updated dependencies: `pip install -e .`",
    "Run `make restart` then `make status`",
    "Run `pkill -SIGUSR2 -f -- '-m teleclaude.cli.telec$'`",
    "Run agent-restart to reload artifacts",
    "Run `instrukt-ai-logs teleclaude --since {window}` and check for errors",
    "Run targeted tests for changed behavior",
  ]);
});
