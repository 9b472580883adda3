import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryHome } from "../testing/temporary-home.ts";
import { rememberPrompted, wasPrompted } from "./prompted-sessions.ts";

const madeHome = () => {
  const home = temporaryHome();
  mkdirSync(home, { mode: 0o700 });
  return home;
};
const fileOf = (home: string) => join(home, "prompted-sessions");
const SESSION = { agent: "claude", sessionId: "session-1" } as const;

test("a session is known from its first prompt on, by agent and id, to its owner only", () => {
  const home = madeHome();
  expect(wasPrompted(home, SESSION)).toBe(false);
  rememberPrompted(home, SESSION);
  rememberPrompted(home, { agent: "codex", sessionId: "session-2" });
  expect(wasPrompted(home, SESSION)).toBe(true);
  expect(wasPrompted(home, { agent: "codex", sessionId: "session-2" })).toBe(true);
  expect(wasPrompted(home, { agent: "codex", sessionId: "session-1" })).toBe(false);
  expect(wasPrompted(home, { agent: "claude", sessionId: "session" })).toBe(false);
  expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600);
});

test("no id can pass for another one", () => {
  const home = madeHome();
  rememberPrompted(home, { agent: "claude", sessionId: 'x"]\n["claude","session-1' });
  expect(wasPrompted(home, SESSION)).toBe(false);
});

test("a line cut short by a full disk spoils no other", () => {
  const home = madeHome();
  writeFileSync(fileOf(home), '\n["claude","sess');
  rememberPrompted(home, SESSION);
  expect(wasPrompted(home, SESSION)).toBe(true);
});

test("the file does not grow for ever, and begins anew", () => {
  const home = madeHome();
  for (let number = 0; number < 5000; number += 1)
    rememberPrompted(home, { agent: "claude", sessionId: `00000000-0000-4000-8000-${number}` });
  rememberPrompted(home, SESSION);
  expect(wasPrompted(home, SESSION)).toBe(true);
  expect(wasPrompted(home, { agent: "claude", sessionId: "00000000-0000-4000-8000-0" })).toBe(false);
  expect(statSync(fileOf(home)).size).toBeLessThan(66_000);
});

test("an id without end is not kept, and costs the others a new beginning at most", () => {
  const home = madeHome();
  const endless = { agent: "claude", sessionId: "x".repeat(1_000_000) } as const;
  rememberPrompted(home, endless);
  expect(wasPrompted(home, endless)).toBe(false);
  rememberPrompted(home, SESSION);
  expect(wasPrompted(home, SESSION)).toBe(true);
});

const obstacles = [
  { obstacle: "a folder", place: (path: string) => mkdirSync(path) },
  { obstacle: "a pipe", place: (path: string) => void execFileSync("sh", ["-c", 'mkfifo "$0"', path]) },
  {
    obstacle: "a link",
    place: (path: string) => {
      writeFileSync(`${path}-elsewhere`, '\n["claude","session-1"]\n');
      symlinkSync(`${path}-elsewhere`, path);
    },
  },
];
test.for(obstacles)("$obstacle in its place is left alone, and every session is new", ({ place }) => {
  const home = madeHome();
  place(fileOf(home));
  rememberPrompted(home, SESSION);
  expect(wasPrompted(home, SESSION)).toBe(false);
});

test("a link is not written through", () => {
  const home = madeHome();
  writeFileSync(join(home, "elsewhere"), "");
  symlinkSync(join(home, "elsewhere"), fileOf(home));
  rememberPrompted(home, SESSION);
  expect(readFileSync(join(home, "elsewhere"), "utf8")).toBe("");
});
