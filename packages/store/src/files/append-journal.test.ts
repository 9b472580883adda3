import type * as fs from "node:fs";
import { mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { anObservation, aStop } from "../testing/a-stop.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { journalStop } from "./append-journal.ts";

/** What another process does right before the next write. */
const otherProcess = vi.hoisted((): { acts: () => void } => ({ acts: () => {} }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (file: number, bytes: Uint8Array) => {
    const { acts } = otherProcess;
    otherProcess.acts = () => {};
    acts();
    return real.writeSync(file, bytes);
  };
  return { ...real, writeSync };
});

const reasons = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => /"reason":"([^"]*)"/.exec(line)?.[1]);

test("a stop is one line that only its owner can read", () => {
  const home = temporaryHome();
  journalStop(home, aStop({ reason: "first", observations: [anObservation("one\ntwo")] }));
  journalStop(home, aStop({ reason: "second" }));
  expect(reasons(join(home, "journal.jsonl"))).toEqual(["first", "second"]);
  expect(statSync(join(home, "journal.jsonl")).mode & 0o777).toBe(0o600);
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test("a stop written to a journal that has just been moved aside is written to the new one too, under the same id", () => {
  const home = temporaryHome();
  mkdirSync(home);
  const [journal, moved] = [join(home, "journal.jsonl"), join(home, "journal.1.folding")];
  otherProcess.acts = () => renameSync(journal, moved);
  journalStop(home, aStop({ reason: "late" }));
  expect(reasons(journal)).toEqual(["late"]);
  expect(readFileSync(journal, "utf8")).toBe(readFileSync(moved, "utf8"));
});
