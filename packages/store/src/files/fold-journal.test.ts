import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { journalPrompt, journalStop } from "../files/append-journal.ts";
import { anObservation, aStop } from "../testing/a-stop.ts";
import { aStoredStop } from "../testing/a-stored-stop.ts";
import { openedStore, sessionOf } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { Prompt } from "../tables/sessions.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);
const journalOf = (home: string) => join(home, "journal.jsonl");
/** A stop as a line of the journal. */
const line = { ...aStop(), id: "id", at: 0 };
const journalFiles = (home: string) => readdirSync(home).filter((name) => name.startsWith("journal"));

test("stops come out of the journal as they went in, once", async () => {
  const home = temporaryHome();
  const stops = [
    aStoredStop(1, {
      at: at("12:00:02"),
      actions: ["a"],
      observations: [anObservation("ü\n🎉")],
      isCanary: true,
      turn: null,
    }),
    aStoredStop(2, { at: at("12:00:01"), agent: "codex", sessionId: "", projectPath: null }),
  ];
  const store = await openedStore(home);
  for (const { id: _, ...stop } of stops) journalStop(home, stop);
  expect(await store.foldJournal()).toEqual({ stops: 2, prompts: 0, unreadable: 0 });
  expect(await store.stops.list()).toEqual(stops);
  expect(await store.foldJournal()).toEqual({ stops: 0, prompts: 0, unreadable: 0 });
  expect(await store.stops.list()).toEqual(stops);
  expect(journalFiles(home)).toEqual([]);
});

test("the same stop noted twice is two stops", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  journalStop(home, aStop());
  journalStop(home, aStop());
  expect(await store.foldJournal()).toEqual({ stops: 2, prompts: 0, unreadable: 0 });
});

test("sessions learn of their last stop, unless they know of a later one", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.stops.record(aStop({ sessionId: "later", at: at("13:00:00") }));
  await store.stops.record(aStop({ sessionId: "earlier", at: at("11:00:00") }));
  for (const sessionId of ["later", "earlier", "new", ""])
    for (const time of ["12:00:00", "12:00:02", "12:00:01"]) journalStop(home, aStop({ sessionId, at: at(time) }));
  await store.foldJournal();
  const lastStop = async (sessionId: string) => (await sessionOf(store, "claude", sessionId))?.lastStopAt;
  expect(await lastStop("later")).toEqual(at("13:00:00"));
  expect(await lastStop("earlier")).toEqual(at("12:00:02"));
  expect(await lastStop("new")).toEqual(at("12:00:02"));
  expect(await lastStop("")).toBeUndefined();
});

test("a canary makes no session, and tells none of a stop", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.stops.record(aStop({ sessionId: "known", at: at("11:00:00") }));
  for (const sessionId of ["known", "made-up"]) journalStop(home, aStop({ sessionId, isCanary: true }));
  expect(await store.foldJournal()).toEqual({ stops: 2, prompts: 0, unreadable: 0 });
  expect(await store.sessions.list()).toEqual([
    expect.objectContaining({ sessionId: "known", lastStopAt: at("11:00:00") }),
  ]);
});

test("what a stop was judged on is carried, and whatever somebody has made of it spoils nothing", async () => {
  const home = temporaryHome();
  const trail = {
    transcriptPath: "/transcripts/1.jsonl",
    turnStart: 120,
    readUpTo: 4096,
    promptAt: at("11:59:00"),
    changedFiles: ["a.ts"],
    changedFileCount: 1,
    workingSlug: "slug",
  };
  journalStop(home, aStop({ trail }));
  const spoilt = { ...line, trail: "spoilt" };
  appendFileSync(journalOf(home), `${JSON.stringify({ ...spoilt, at: at("12:00:00").getTime() })}\n`);
  const store = await openedStore(home);
  expect(await store.stops.list()).toEqual([
    expect.objectContaining({ id: 2, trail: null }),
    expect.objectContaining({ id: 1, trail }),
  ]);
});

test("a journal of several thousand stops fits in", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  for (let number = 0; number < 3001; number += 1) journalStop(home, aStop({ sessionId: `${number % 7}` }));
  expect(await store.foldJournal()).toEqual({ stops: 3001, prompts: 0, unreadable: 0 });
});

test("a file that was left before its stops were taken in is taken in", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  journalStop(home, aStop({ reason: "left" }));
  copyFileSync(journalOf(home), join(home, "journal.0.folding"));
  writeFileSync(journalOf(home), "");
  journalStop(home, aStop({ reason: "new" }));
  expect(await store.foldJournal()).toEqual({ stops: 2, prompts: 0, unreadable: 0 });
  expect(journalFiles(home)).toEqual([]);
});

test("a file that was left after its stops were taken in is not taken in again", async () => {
  const home = temporaryHome();
  journalStop(home, aStop());
  copyFileSync(journalOf(home), join(home, "copy"));
  const store = await openedStore(home);
  copyFileSync(join(home, "copy"), join(home, "journal.0.folding"));
  expect(await store.foldJournal()).toEqual({ stops: 0, prompts: 0, unreadable: 0 });
  expect(await store.stops.list()).toEqual([aStoredStop(1)]);
  expect(journalFiles(home)).toEqual([]);
});

test("a line cut short by a full disk spoils no other", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  journalStop(home, aStop({ reason: "before" }));
  appendFileSync(journalOf(home), '\n{"id":"half');
  journalStop(home, aStop({ reason: "after" }));
  expect(await store.foldJournal()).toEqual({ stops: 2, prompts: 0, unreadable: 1 });
});

const foreign = [
  { is: "no JSON", text: "nonsense" },
  { is: "no object", text: "null" },
  { is: "a list", text: "[]" },
  { is: "without fields", text: "{}" },
  ...Object.keys(line).map((field) => ({
    is: `without ${field}`,
    text: JSON.stringify({ ...line, [field]: undefined }),
  })),
  { is: "of a time that is none", text: JSON.stringify({ ...line, at: 1e300 }) },
  { is: "of a time between milliseconds", text: JSON.stringify({ ...line, at: 0.5 }) },
  { is: "of endless duration", text: JSON.stringify(line).replace('"durationMs":12', '"durationMs":1e999') },
  { is: "of a third decision", text: JSON.stringify({ ...line, decision: "maybe" }) },
  { is: "with numbers for actions", text: JSON.stringify({ ...line, actions: [1] }) },
];
test.for(foreign)("a line that is $is is passed over", async ({ text }) => {
  const home = temporaryHome();
  const store = await openedStore(home);
  writeFileSync(journalOf(home), `${JSON.stringify(line)}\n${text}\n`);
  expect(await store.foldJournal()).toEqual({ stops: 1, prompts: 0, unreadable: 1 });
});

test("a stop of an agent that only another version knows is kept", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  writeFileSync(journalOf(home), `${JSON.stringify({ ...line, agent: "agent-of-tomorrow" })}\n`);
  expect(await store.foldJournal()).toEqual({ stops: 1, prompts: 0, unreadable: 0 });
});

const obstacles = [
  { obstacle: "a folder", place: (path: string) => mkdirSync(path) },
  { obstacle: "a pipe", place: (path: string) => void execFileSync("sh", ["-c", 'mkfifo "$0"', path]) },
];
test.for(obstacles)(
  "$obstacle in place of the journal is an error to write to and nothing to fold",
  async ({ place }) => {
    const home = temporaryHome();
    const store = await openedStore(home);
    place(journalOf(home));
    expect(() => journalStop(home, aStop())).toThrow(
      expect.objectContaining({ name: "StoreError", reason: "unusable" }),
    );
    expect(await store.foldJournal()).toEqual({ stops: 0, prompts: 0, unreadable: 0 });
  },
);

describe("a prompt", () => {
  const aPrompt = (changes: Partial<Prompt> = {}): Prompt => ({
    agent: "claude",
    sessionId: "session-1",
    projectPath: "/project",
    transcriptPath: "/transcripts/1.jsonl",
    turn: "turn-1",
    at: at("12:00:00"),
    ...changes,
  });

  test.for([
    { is: "the first of a session", prompt: aPrompt({ baseline: { "a.ts": "1" } }) },
    { is: "without a baseline", prompt: aPrompt() },
    { is: "of no project", prompt: aPrompt({ projectPath: null, transcriptPath: null }) },
    { is: "after an odd file", prompt: aPrompt({ baseline: JSON.parse('{"__proto__":"1","ü\\n🎉":"2"}') }) },
    { is: "of an agent that names no turns", prompt: aPrompt({ turn: null }) },
  ])("that is $is comes out of the journal as if it had been recorded at once", async ({ prompt }) => {
    const direct = await openedStore(temporaryHome());
    await direct.sessions.prompt(prompt);
    const home = temporaryHome();
    const store = await openedStore(home);
    journalPrompt(home, prompt);
    expect(await store.foldJournal()).toEqual({ stops: 0, prompts: 1, unreadable: 0 });
    expect(await store.sessions.list()).toEqual(await direct.sessions.list());
    expect(await store.sessions.list()).toHaveLength(1);
  });

  test("is known to whoever opens the store", async () => {
    const home = temporaryHome();
    journalPrompt(home, aPrompt());
    const store = await openedStore(home);
    expect(await sessionOf(store, "claude", "session-1")).toMatchObject({ currentTurn: "turn-1" });
    expect(journalFiles(home)).toEqual([]);
  });

  test("opens a turn that may be blocked again, also where the clock was set back", async () => {
    const home = temporaryHome();
    const store = await openedStore(home);
    journalPrompt(home, aPrompt());
    await store.foldJournal();
    const stop = aStop({ reason: "actions-missing" });
    await store.stops.claimBlock({
      agent: "claude",
      sessionId: "session-1",
      turns: ["turn-1"],
      at: at("12:01:00"),
      stop,
    });
    journalPrompt(home, aPrompt({ turn: "turn-2", at: at("11:00:00") }));
    await store.foldJournal();
    expect(await sessionOf(store, "claude", "session-1")).toMatchObject({
      currentTurn: "turn-2",
      lastMessageSentAt: at("11:00:00"),
      lastCheckpointAt: null,
    });
  });

  test("that was written twice does not open its turn again", async () => {
    const home = temporaryHome();
    const store = await openedStore(home);
    journalPrompt(home, aPrompt());
    copyFileSync(journalOf(home), join(home, "copy"));
    await store.foldJournal();
    const stop = aStop({ reason: "actions-missing" });
    await store.stops.claimBlock({
      agent: "claude",
      sessionId: "session-1",
      turns: ["turn-1"],
      at: at("12:01:00"),
      stop,
    });
    copyFileSync(join(home, "copy"), journalOf(home));
    expect(await store.foldJournal()).toEqual({ stops: 0, prompts: 0, unreadable: 0 });
    expect(await sessionOf(store, "claude", "session-1")).toMatchObject({ lastCheckpointAt: at("12:01:00") });
  });

  test("that another process left before a later one does not come after it", async () => {
    const home = temporaryHome();
    const store = await openedStore(home);
    journalPrompt(home, aPrompt({ baseline: { "a.ts": "1" } }));
    renameSync(journalOf(home), join(home, "journal.z.folding"));
    utimesSync(join(home, "journal.z.folding"), at("12:00:00"), at("12:00:00"));
    journalPrompt(home, aPrompt({ turn: "turn-2", at: at("12:05:00") }));
    renameSync(journalOf(home), join(home, "journal.a.folding"));
    await store.foldJournal();
    expect(await sessionOf(store, "claude", "session-1")).toMatchObject({
      currentTurn: "turn-2",
      baseline: { "a.ts": "1" },
    });
  });

  const whole = { type: "prompt", ...aPrompt(), at: 0 };
  const torn = [
    ...Object.keys(whole).map((field) => ({ is: `without ${field}`, line: { ...whole, [field]: undefined } })),
    { is: "of another type", line: { ...whole, type: "thought" } },
    { is: "of a time that is none", line: { ...whole, at: "now" } },
    { is: "with a list for a baseline", line: { ...whole, baseline: ["a.ts"] } },
    { is: "with numbers in its baseline", line: { ...whole, baseline: { "a.ts": 1 } } },
  ];
  test.for(torn)("that is $is is passed over", async ({ line: foreignLine }) => {
    const home = temporaryHome();
    const store = await openedStore(home);
    writeFileSync(journalOf(home), `${JSON.stringify(whole)}\n${JSON.stringify(foreignLine)}\n`);
    expect(await store.foldJournal()).toEqual({ stops: 0, prompts: 1, unreadable: 1 });
  });
});
