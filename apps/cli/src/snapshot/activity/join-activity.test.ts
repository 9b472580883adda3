import { expect, test } from "vitest";
import { joinActivity, type KnownSession } from "./join-activity.ts";

/** Minutes after a full hour; the checkpoint is made at 10, the restore at 60. */
const at = (minute: number): Date => new Date(Date.UTC(2031, 0, 31, 12, minute));
const turn = (from: number, to: number | null) => ({ from: at(from), to: to === null ? null : at(to) });
const session = (
  changes: Partial<Record<"firstSeenAt" | "lastPromptAt" | "lastStopAt", number>>,
  rest: Partial<KnownSession>,
): KnownSession => ({
  firstSeenAt: at(changes.firstSeenAt ?? 5),
  lastPromptAt: changes.lastPromptAt === undefined ? null : at(changes.lastPromptAt),
  lastStopAt: changes.lastStopAt === undefined ? null : at(changes.lastStopAt),
  read: { first: at(5), last: at(20), intervals: [turn(5, 12), turn(20, 30)] },
  isCalling: false,
  isNeeded: false,
  ...rest,
});

const cases: readonly { what: string; sessions: readonly KnownSession[]; activity: unknown }[] = [
  { what: "no session", sessions: [], activity: null },
  {
    what: "one that reaches back to the checkpoint",
    sessions: [session({ lastPromptAt: 20, lastStopAt: 30 }, {})],
    activity: { since: at(5), intervals: [turn(5, 12), turn(20, 30)] },
  },
  {
    what: "one that began after the checkpoint",
    sessions: [session({ firstSeenAt: 20 }, { read: { first: at(20), last: at(20), intervals: [turn(20, 30)] } })],
    activity: { since: at(20), intervals: [turn(20, 30)] },
  },
  {
    what: "one whose transcript has lost its beginning",
    sessions: [
      session({ firstSeenAt: 5 }, { read: { first: at(20), last: at(20), intervals: [turn(20, 30)] } }),
      session({}, {}),
    ],
    activity: { since: at(20), intervals: [turn(20, 30), turn(5, 12), turn(20, 30)] },
  },
  {
    what: "two",
    sessions: [
      session({}, {}),
      session({ firstSeenAt: 40 }, { read: { first: at(40), last: at(40), intervals: [turn(40, 50)] } }),
    ],
    activity: { since: at(5), intervals: [turn(5, 12), turn(20, 30), turn(40, 50)] },
  },
  {
    what: "one that was active since cannot be read",
    sessions: [session({}, {}), session({ lastStopAt: 11 }, { read: null })],
    activity: null,
  },
  {
    what: "one that is needed cannot be read",
    sessions: [session({}, {}), session({ firstSeenAt: 1 }, { read: null, isNeeded: true })],
    activity: null,
  },
  {
    what: "an old one cannot be read",
    sessions: [session({ firstSeenAt: 1, lastPromptAt: 2 }, { read: null }), session({}, {})],
    activity: { since: at(5), intervals: [turn(5, 12), turn(20, 30)] },
  },
  {
    what: "none was active since the checkpoint",
    sessions: [session({ lastPromptAt: 1 }, { read: { first: at(1), last: at(1), intervals: [turn(1, 3)] } })],
    activity: null,
  },
  {
    what: "an old one has left something running",
    sessions: [session({ lastPromptAt: 1 }, { read: { first: at(1), last: at(1), intervals: [turn(1, null)] } })],
    activity: { since: at(1), intervals: [turn(1, null)] },
  },
  {
    what: "a prompt that the transcript does not show yet",
    sessions: [session({ lastPromptAt: 55, lastStopAt: 30 }, {})],
    activity: { since: at(5), intervals: [turn(5, 12), turn(20, 30), turn(55, null)] },
  },
  {
    what: "a turn that the transcript does not show",
    sessions: [session({ lastPromptAt: 50, lastStopAt: 52 }, {})],
    activity: { since: at(5), intervals: [turn(5, 12), turn(20, 30), turn(50, 52)] },
  },
  {
    what: "a call of the session itself, which the transcript does not show yet",
    sessions: [session({ lastPromptAt: 20 }, { isCalling: true })],
    activity: { since: at(5), intervals: [turn(5, 12), turn(20, 30), turn(60, null)] },
  },
  {
    what: "a call of the session itself",
    sessions: [
      session(
        { lastPromptAt: 50 },
        { isCalling: true, read: { first: at(5), last: at(50), intervals: [turn(50, null)] } },
      ),
    ],
    activity: { since: at(5), intervals: [turn(50, null)] },
  },
];
test.for(cases)("$what", ({ sessions, activity }) => {
  expect(joinActivity(sessions, { checkpointAt: at(10), now: at(60) })).toEqual(activity);
});
