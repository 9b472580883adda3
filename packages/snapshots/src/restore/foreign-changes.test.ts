import { expect, test } from "vitest";
import type { Entry } from "../manifest.ts";
import type { AgentWrite } from "../writes.ts";
import { type Activity, type Knowledge, type PastRestore, foreignChanges } from "./find-foreign.ts";

const at = (second: number): Date => new Date(Date.UTC(2031, 0, 31, 12) + second * 1000);
const NOTHING: Knowledge = {
  checkpointAt: at(100),
  writes: [],
  claimed: new Map(),
  activity: null,
  restores: [],
  timesOf: () => [at(250), at(250)],
};
const TURN: Activity = { since: at(0), intervals: [{ from: at(110), to: at(200) }] };
const TURN_NOW: Activity = { since: at(0), intervals: [{ from: at(110), to: null }] };
const wrote = (oid: string | null, path = "a.txt"): AgentWrite => ({ at: "", session: "S", path, oid });
const file = (oid: string): Entry => ({ path: "a.txt", type: "file", mode: 0o644, size: 1, oid });
const restore = (from: number, to: number, touched = "a.txt"): PastRestore => ({
  from: at(from),
  to: at(to),
  hasTouched: (path) => path === touched,
});
const GONE: Entry = { path: "a.txt", type: "absent", mode: 0, size: 0, oid: null };
const FOLDER: Entry = { path: "a.txt", type: "directory", mode: 0o755, size: 0, oid: null };

const NO_AGENT = "it was changed while no agent was at work";
const AFTER = "it was changed after the agent last wrote it";
const UNRECORDED = "it was changed, and no agent is recorded to have written it";

const cases: readonly { what: string; known: Partial<Knowledge>; from?: Entry; why: string | null }[] = [
  { what: "nothing is known", known: {}, why: null },
  { what: "at another time than the agent's", known: { activity: TURN }, why: NO_AGENT },
  { what: "while the agent works", known: { activity: TURN_NOW }, why: null },
  { what: "gone, of which there are no times", known: { activity: TURN }, from: GONE, why: null },
  { what: "a folder", known: { activity: TURN }, from: FOLDER, why: null },
  { what: "as the agent left it", known: { writes: [wrote("now")] }, why: null },
  { what: "as the agent left it, copied since", known: { activity: TURN, writes: [wrote("now")] }, why: null },
  { what: "not as the agent left it", known: { writes: [wrote("x")] }, why: AFTER },
  { what: "no write of it is recorded", known: { writes: [wrote("now", "b.txt")] }, why: UNRECORDED },
  { what: "written again by the agent itself", known: { activity: TURN_NOW, writes: [wrote("x")] }, why: null },
  { what: "removed after the agent wrote it", known: { activity: TURN, writes: [wrote("x")] }, from: GONE, why: AFTER },
  { what: "by a restore", known: { activity: TURN, restores: [restore(249, 251)] }, why: null },
  {
    what: "during a restore of others",
    known: { activity: TURN, restores: [restore(249, 251, "b.txt")] },
    why: NO_AGENT,
  },
  {
    what: "by a restore, with writes",
    known: { writes: [wrote("x")], restores: [restore(249, 251)] },
    why: null,
  },
  { what: "after a restore", known: { activity: TURN, restores: [restore(240, 249)] }, why: NO_AGENT },
  {
    what: "covered by another session",
    known: { activity: TURN_NOW, claimed: new Map([["a.txt", "chk_2"]]) },
    why: "another session has covered it since, with chk_2",
  },
];
test.for(cases)("$what", ({ known, from = file("now"), why }) => {
  const changes = [{ from, to: file("then") }];
  expect(foreignChanges(changes, { ...NOTHING, ...known })).toEqual(why === null ? [] : [{ path: "a.txt", why }]);
});
