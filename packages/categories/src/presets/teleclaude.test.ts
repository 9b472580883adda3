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

test("every row's action exists", () => {
  for (const { categories, actions, baseline } of Object.values(PRESETS)) {
    const ids: string[] = actions.map(({ id }) => id);
    const named = [...categories.map(({ action }) => action).filter((id) => id !== null), ...baseline];
    expect(ids).toEqual(expect.arrayContaining(named));
    expect(ids).toContain("tests");
  }
});

test("the presets differ where a repository wants quiet", () => {
  const traits = Object.values(PRESETS).map(
    ({ preset, scope, captureOnly, allClear, unchanged, withoutGit, hygieneBlocks, baseline }) => ({
      preset,
      scope,
      captureOnly,
      allClear,
      unchanged,
      withoutGit,
      hygieneBlocks,
      baseline,
    }),
  );
  expect(traits).toEqual([
    {
      preset: "teleclaude",
      scope: "tree",
      captureOnly: "deliver",
      allClear: "deliver",
      unchanged: "deliver",
      withoutGit: "deliver",
      hygieneBlocks: true,
      baseline: ["check-logs"],
    },
    {
      preset: "generic",
      scope: "session",
      captureOnly: "silent",
      allClear: "silent",
      unchanged: "silent",
      withoutGit: "silent",
      hygieneBlocks: false,
      baseline: [],
    },
  ]);
});
