import { expect, test } from "vitest";
import { choosePane, type PaneSighting } from "./find-pane.ts";

const THREAD = {
  id: "01a1e26d-8298-7d62-bd35-0484e08c3ac6",
  cwd: "/home/dev/project",
  rolloutPath: "/home/dev/.codex/sessions/2026/11/16/rollout-a.jsonl",
};
const OTHER_ROLLOUT = "/home/dev/.codex/sessions/2026/11/16/rollout-b.jsonl";
const TITLED = "Ready | 01a1e26d-8298-7d62-bd35-0484e...";
const TITLED_OTHER = "Ready | 01a1e26d-8298-7733-8acb-4235c...";

/** A pane in which Codex runs through its daemon, in another folder. */
function pane(id: string, changed: Partial<PaneSighting> = {}): PaneSighting {
  return { id, title: "project", path: "/elsewhere", runsCodex: true, openRollouts: [], ...changed };
}

const { cwd, rolloutPath } = THREAD;
const cases = [
  { panes: "none", found: [], is: "none" },
  { panes: "one that is somebody else's", found: [pane("%1")], is: "none" },

  { panes: "one with the id in the title", found: [pane("%1"), pane("%2", { title: TITLED })], is: "%2 by title" },
  { panes: "one with the whole id", found: [pane("%1", { title: `x ${THREAD.id} y` })], is: "%1 by title" },
  { panes: "one with the time of birth only", found: [pane("%1", { title: "01a1e26d-8298" })], is: "none" },
  { panes: "one with the id of a twin", found: [pane("%1", { title: TITLED_OTHER })], is: "none" },
  { panes: "two with the id", found: [pane("%1", { title: TITLED }), pane("%2", { title: TITLED })], is: "ambiguous" },
  {
    panes: "two with the id, one left by a killed Codex",
    found: [pane("%1", { title: TITLED, runsCodex: false }), pane("%2", { title: TITLED })],
    is: "%2 by title",
  },
  {
    panes: "two with the id, both left by a killed Codex",
    found: [pane("%1", { title: TITLED, runsCodex: false }), pane("%2", { title: TITLED, runsCodex: false })],
    is: "ambiguous",
  },
  {
    panes: "one with the id, another with the rollout",
    found: [pane("%1", { title: TITLED }), pane("%2", { openRollouts: [rolloutPath] })],
    is: "%1 by title",
  },

  {
    panes: "one with the rollout",
    found: [pane("%1"), pane("%2", { openRollouts: [rolloutPath] })],
    is: "%2 by rollout",
  },
  { panes: "one with another rollout", found: [pane("%1", { openRollouts: [OTHER_ROLLOUT] })], is: "none" },
  {
    panes: "one with the rollout and that of the thread before",
    found: [pane("%1", { openRollouts: [OTHER_ROLLOUT, rolloutPath] })],
    is: "ambiguous",
  },
  {
    panes: "two with the rollout",
    found: [pane("%1", { openRollouts: [rolloutPath] }), pane("%2", { openRollouts: [rolloutPath] })],
    is: "ambiguous",
  },
  {
    panes: "one with the rollout that shows another thread",
    found: [pane("%1", { openRollouts: [rolloutPath], title: TITLED_OTHER })],
    is: "none",
  },

  { panes: "one in the folder", found: [pane("%1"), pane("%2", { path: cwd })], is: "%2 by folder" },
  { panes: "one in the folder, no /proc", found: [pane("%1", { path: cwd, openRollouts: null })], is: "%1 by folder" },
  { panes: "one in the folder, several threads", found: [pane("%1", { path: cwd })], isOnly: false, is: "ambiguous" },
  { panes: "two in the folder", found: [pane("%1", { path: cwd }), pane("%2", { path: cwd })], is: "ambiguous" },
  {
    panes: "a shell in the folder beside Codex",
    found: [pane("%1", { path: cwd, runsCodex: false }), pane("%2", { path: cwd })],
    is: "%2 by folder",
  },
  {
    panes: "one in the folder that has its own rollout",
    found: [pane("%1", { path: cwd, openRollouts: [OTHER_ROLLOUT] })],
    is: "none",
  },
  {
    panes: "one in the folder that shows another thread",
    found: [pane("%1", { path: cwd, title: TITLED_OTHER })],
    is: "none",
  },
];
test.for(cases)("$panes: $is", ({ found, isOnly = true, is }) => {
  const choice = choosePane({ thread: THREAD, panes: found, isOnlyThreadInFolder: isOnly });
  expect(choice.found ? `${choice.pane} by ${choice.by}` : choice.reason).toBe(is);
});

test("an ambiguity names the panes", () => {
  const panes = [pane("%1", { path: cwd }), pane("%2", { path: cwd })];
  expect(choosePane({ thread: THREAD, panes, isOnlyThreadInFolder: true })).toEqual({
    found: false,
    reason: "ambiguous",
    detail: "%1, %2 run Codex in the thread's folder",
  });
});
