import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryHome } from "./testing/temporary-home.ts";
import { appendLog, type LogEntry } from "./log.ts";

const now = new Date("2026-11-16T02:18:05.123Z");
const read = (home: string) => readFileSync(join(home, "checkpoint.log"), "utf8");

const lines: { entry: LogEntry; line: string }[] = [
  { entry: { level: "info", event: "stop-passed" }, line: "info stop-passed" },
  {
    entry: { level: "warn", event: "store-locked", agent: "claude", session: "3f1c-77", detail: "database is locked" },
    line: 'warn store-locked agent=claude session=3f1c-77 detail="database is locked"',
  },
  {
    entry: { level: "error", event: "x", count: 3, is: false, none: null, left: undefined, path: "/a/b.ts", empty: "" },
    line: 'error x count=3 is=false none=null path=/a/b.ts empty=""',
  },
  {
    entry: { level: "warn", event: "x", detail: "one\ntwo\r\ntab\t" },
    line: String.raw`warn x detail="one\ntwo\r\ntab\t"`,
  },
  { entry: { level: "warn", event: "x", detail: 'a="b" \\' }, line: String.raw`warn x detail="a=\"b\" \\"` },
  {
    entry: { level: "warn", event: "x", detail: "\u001b[2J\u009b31m\u007f\u0000" },
    line: String.raw`warn x detail="\u001b[2J\u009b31m\u007f\u0000"`,
  },
  {
    entry: { level: "warn", event: "x", detail: "\u2028\u2029\u0085\u202e\ufeff\ud800" },
    line: String.raw`warn x detail="\u2028\u2029\u0085\u202e\ufeff\ud800"`,
  },
  { entry: { level: "warn", event: "a b\n", "k e\ny": "v" }, line: String.raw`warn "a b\n" "k e\ny"=v` },
  { entry: { level: "warn", event: "x", detail: "größer 🎉" }, line: 'warn x detail="größer 🎉"' },
];
test.for(lines)("$line", ({ entry, line }) => {
  const home = temporaryHome();
  expect(appendLog(home, entry, now)).toBe(true);
  expect(read(home)).toBe(`2026-11-16T02:18:05.123Z ${line}\n`);
});

test("each call adds one line to a file that only its owner can read", () => {
  const home = temporaryHome();
  appendLog(home, { level: "info", event: "first" }, now);
  appendLog(home, { level: "info", event: "second" }, now);
  expect(read(home)).toBe("2026-11-16T02:18:05.123Z info first\n2026-11-16T02:18:05.123Z info second\n");
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, "checkpoint.log")).mode & 0o777).toBe(0o600);
});

test.for(["a", "é", "🎉", "\u0007"])("a long line of %j is cut between characters at 2 KB", (character) => {
  const home = temporaryHome();
  appendLog(home, { level: "info", event: "x", detail: ` ${character.repeat(5000)}` }, now);
  const line = read(home);
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(2048);
  expect(Buffer.byteLength(line)).toBeGreaterThan(2036);
  expect(line).toMatch(/[^\uFFFD]…\n$/u);
});

test("at 5 MB the log becomes checkpoint.log.1, with the line that filled it, and a new one begins", () => {
  const home = temporaryHome();
  const path = join(home, "checkpoint.log");
  mkdirSync(home);
  writeFileSync(`${path}.1`, "the one before\n");
  writeFileSync(path, `${"x".repeat(4_999_999)}\n`);
  appendLog(home, { level: "info", event: "last-of-the-old" }, now);
  appendLog(home, { level: "info", event: "first-of-the-new" }, now);
  expect(readFileSync(`${path}.1`, "utf8").slice(5_000_000)).toBe("2026-11-16T02:18:05.123Z info last-of-the-old\n");
  expect(read(home)).toBe("2026-11-16T02:18:05.123Z info first-of-the-new\n");
  expect(readdirSync(home).sort()).toEqual(["checkpoint.log", "checkpoint.log.1"]);
});

const obstacles = [
  { obstacle: "a file in place of the home", place: (home: string) => writeFileSync(home, "") },
  {
    obstacle: "a folder in place of the log",
    place: (home: string) => mkdirSync(join(home, "checkpoint.log"), { recursive: true }),
  },
  {
    obstacle: "a link in place of the log",
    place: (home: string) => {
      mkdirSync(home);
      symlinkSync(join(dirname(home), "elsewhere"), join(home, "checkpoint.log"));
    },
  },
  {
    obstacle: "a pipe without a reader in place of the log",
    place: (home: string) => {
      mkdirSync(home);
      execFileSync("sh", ["-c", 'mkfifo "$0"', join(home, "checkpoint.log")]);
    },
  },
];
test.for(obstacles)("$obstacle is no place to write, and no reason to throw", ({ place }) => {
  const home = temporaryHome();
  place(home);
  expect(appendLog(home, { level: "error", event: "x" })).toBe(false);
});

test("a clock without a time is no reason to throw", () => {
  expect(appendLog(temporaryHome(), { level: "error", event: "x" }, new Date(Number.NaN))).toBe(false);
});

test("a folder that somebody has put among the temporary files is not used", () => {
  const target = mkdtempSync(join(tmpdir(), "checkpoint-store-"));
  const home = `${target}-link`;
  symlinkSync(target, home);
  onTestFinished(() => {
    rmSync(home);
    rmSync(target, { recursive: true });
  });
  expect(appendLog(home, { level: "error", event: "x" })).toBe(false);
  expect(readdirSync(target)).toEqual([]);
});
