import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendJournal } from "../files/append-journal.ts";
import { aStop } from "../testing/a-stop.ts";
import { aStoredStop } from "../testing/a-stored-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);
const journalOf = (home: string) => join(home, "journal.jsonl");
const journalFiles = (home: string) => readdirSync(home).filter((name) => name.startsWith("journal"));

test("stops come out of the journal as they went in, once", async () => {
  const home = temporaryHome();
  const stops = [
    aStoredStop(1, { at: at("12:00:02"), actions: ["a"], observations: ["ü\n🎉"], isCanary: true, turn: null }),
    aStoredStop(2, { at: at("12:00:01"), agent: "codex", sessionId: "", projectPath: null }),
  ];
  for (const { id: _, ...stop } of stops) appendJournal(home, stop);
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 2, unreadable: 0 });
  expect(await store.listStops()).toEqual(stops);
  expect(await store.foldJournal()).toEqual({ stops: 0, unreadable: 0 });
  expect(await store.listStops()).toEqual(stops);
  expect(journalFiles(home)).toEqual([]);
});

test("the same stop noted twice is two stops", async () => {
  const home = temporaryHome();
  appendJournal(home, aStop());
  appendJournal(home, aStop());
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 2, unreadable: 0 });
});

test("sessions learn of their last stop, unless they know of a later one", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.recordStop(aStop({ sessionId: "later", at: at("13:00:00") }));
  await store.recordStop(aStop({ sessionId: "earlier", at: at("11:00:00") }));
  for (const sessionId of ["later", "earlier", "new", ""])
    for (const time of ["12:00:00", "12:00:02", "12:00:01"]) appendJournal(home, aStop({ sessionId, at: at(time) }));
  await store.foldJournal();
  const lastStop = async (sessionId: string) => (await store.getSession("claude", sessionId))?.lastStopAt;
  expect(await lastStop("later")).toEqual(at("13:00:00"));
  expect(await lastStop("earlier")).toEqual(at("12:00:02"));
  expect(await lastStop("new")).toEqual(at("12:00:02"));
  expect(await lastStop("")).toBeUndefined();
});

test("a canary makes no session, and tells none of a stop", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.recordStop(aStop({ sessionId: "known", at: at("11:00:00") }));
  for (const sessionId of ["known", "made-up"]) appendJournal(home, aStop({ sessionId, isCanary: true }));
  expect(await store.foldJournal()).toEqual({ stops: 2, unreadable: 0 });
  expect(await store.listSessions()).toEqual([
    expect.objectContaining({ sessionId: "known", lastStopAt: at("11:00:00") }),
  ]);
});

test("a trail is not carried", async () => {
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
  appendJournal(home, aStop({ trail }));
  expect(readFileSync(journalOf(home), "utf8")).not.toContain("trail");
  const store = await openedStore(home);
  await store.foldJournal();
  expect(await store.listStops()).toEqual([aStoredStop(1)]);
});

test("a journal of several thousand stops fits in", async () => {
  const home = temporaryHome();
  for (let number = 0; number < 3001; number += 1) appendJournal(home, aStop({ sessionId: `${number % 7}` }));
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 3001, unreadable: 0 });
});

test("a file that was left before its stops were taken in is taken in", async () => {
  const home = temporaryHome();
  appendJournal(home, aStop({ reason: "left" }));
  copyFileSync(journalOf(home), join(home, "journal.0.folding"));
  writeFileSync(journalOf(home), "");
  appendJournal(home, aStop({ reason: "new" }));
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 2, unreadable: 0 });
  expect(journalFiles(home)).toEqual([]);
});

test("a file that was left after its stops were taken in is not taken in again", async () => {
  const home = temporaryHome();
  appendJournal(home, aStop());
  copyFileSync(journalOf(home), join(home, "copy"));
  const store = await openedStore(home);
  await store.foldJournal();
  copyFileSync(join(home, "copy"), join(home, "journal.0.folding"));
  expect(await store.foldJournal()).toEqual({ stops: 0, unreadable: 0 });
  expect(await store.listStops()).toEqual([aStoredStop(1)]);
  expect(journalFiles(home)).toEqual([]);
});

test("a line cut short by a full disk spoils no other", async () => {
  const home = temporaryHome();
  appendJournal(home, aStop({ reason: "before" }));
  appendFileSync(journalOf(home), '\n{"id":"half');
  appendJournal(home, aStop({ reason: "after" }));
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 2, unreadable: 1 });
});

const line = { ...aStop(), id: "id", at: 0 };
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
  mkdirSync(home);
  writeFileSync(journalOf(home), `${JSON.stringify(line)}\n${text}\n`);
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 1, unreadable: 1 });
});

test("a stop of an agent that only another version knows is kept", async () => {
  const home = temporaryHome();
  mkdirSync(home);
  writeFileSync(journalOf(home), `${JSON.stringify({ ...line, agent: "agent-of-tomorrow" })}\n`);
  const store = await openedStore(home);
  expect(await store.foldJournal()).toEqual({ stops: 1, unreadable: 0 });
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
    expect(() => appendJournal(home, aStop())).toThrow(
      expect.objectContaining({ name: "StoreError", reason: "unusable" }),
    );
    expect(await store.foldJournal()).toEqual({ stops: 0, unreadable: 0 });
  },
);
