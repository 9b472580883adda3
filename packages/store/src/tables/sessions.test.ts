import type { AgentName } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { openedStore, sessionOf } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { parseContextMark, type SessionFilter } from "./sessions.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

const sessions: readonly { agent: AgentName; sessionId: string; times: readonly string[] }[] = [
  { agent: "claude", sessionId: "old", times: ["10:00:00"] },
  { agent: "claude", sessionId: "heard-of-again", times: ["09:00:00", "13:00:00"] },
  { agent: "gemini", sessionId: "b", times: ["12:00:00"] },
  { agent: "codex", sessionId: "a", times: ["12:00:00"] },
  { agent: "codex", sessionId: "clock-put-back", times: ["11:00:00", "08:00:00"] },
];

const cases: readonly { filter: SessionFilter | undefined; listed: readonly string[] }[] = [
  { filter: undefined, listed: ["heard-of-again", "a", "b", "clock-put-back", "old"] },
  { filter: {}, listed: ["heard-of-again", "a", "b", "clock-put-back", "old"] },
  { filter: { agent: undefined }, listed: ["heard-of-again", "a", "b", "clock-put-back", "old"] },
  { filter: { agent: "codex" }, listed: ["a", "clock-put-back"] },
  { filter: { agent: "claude" }, listed: ["heard-of-again", "old"] },
];
test.for(cases)("sessions are listed by when they were last heard of: $filter", async ({ filter, listed }) => {
  const store = await openedStore(temporaryHome());
  for (const { agent, sessionId, times } of sessions)
    for (const time of times)
      await store.sessions.prompt({
        agent,
        sessionId,
        projectPath: null,
        transcriptPath: null,
        turn: null,
        at: at(time),
      });
  expect((await store.sessions.list(filter)).map(({ sessionId }) => sessionId)).toEqual(listed);
});

test("a session is listed as it is known by its name", async () => {
  const store = await openedStore(temporaryHome());
  await store.sessions.update("claude", "s", {
    workingSlug: "slug",
    touchedFiles: ["a.ts"],
    baseline: { "b.ts": "1" },
  });
  expect(await store.sessions.list()).toEqual([await sessionOf(store, "claude", "s")]);
});

test("an empty store has no sessions", async () => {
  const store = await openedStore(temporaryHome());
  expect(await store.sessions.list()).toEqual([]);
});

const noon = new Date("2026-01-01T12:00:00Z");

const marks = [
  { at: noon, isArmed: true, hasFailed: false },
  { at: noon, isArmed: false, hasFailed: true },
];
test.for(marks)("a mark comes out of the column as it went in: $isArmed, $hasFailed", (mark) => {
  expect(parseContextMark(JSON.stringify(mark))).toEqual(mark);
});

const spoiled = [
  { text: "", mark: null },
  { text: "null", mark: null },
  { text: "[]", mark: null },
  { text: '{"at":"noon","isArmed":true}', mark: null },
  { text: `{"at":"${noon.toISOString()}"}`, mark: { at: noon, isArmed: false, hasFailed: false } },
  {
    text: `{"at":"${noon.toISOString()}","isArmed":1,"hasFailed":"yes"}`,
    mark: { at: noon, isArmed: false, hasFailed: false },
  },
];
test.for(spoiled)("a column that holds $text", ({ text, mark }) => {
  expect(parseContextMark(text)).toEqual(mark);
});
