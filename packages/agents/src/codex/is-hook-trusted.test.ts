import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isHookTrusted } from "./is-hook-trusted.ts";

const hook = { type: "command", command: "true checkpoint-hook", timeout: 30 };
const PLAIN = "8c10bd6da5e817e4371416445fc4769767e7c7f796cc7d765ee67852fe2e7dcc";

/** The hashes are those that Codex 0.166.0 wrote when these very definitions were trusted at its screen. */
const trusted = [
  { definition: "a plain one", group: { hooks: [hook] }, hash: PLAIN },
  {
    definition: "one without a timeout",
    group: { hooks: [{ type: "command", command: hook.command }] },
    hash: "d90c518d1193eb689988d060830ff421e2693c0789b6bc851e9b49d0681e9c8d",
  },
  {
    definition: "one with a status message",
    group: { hooks: [{ ...hook, statusMessage: "Checking ünï" }] },
    hash: "aea3ea1af52749bd1c721b2a8ee8cf33a42f5d059edd364e1afb10040906971a",
  },
  {
    definition: "one with a matcher, and signs of all kinds in its command",
    group: { matcher: "*", hooks: [{ ...hook, command: "true checkpoint-hook \"a\" <b> & 'c' ü" }] },
    hash: "1045e6f8c9c7c74e71c3b7d96efad0818504b018120aefd134b6ee749c2af18a",
  },
  { definition: "one with an empty matcher", group: { matcher: "", hooks: [hook] }, hash: PLAIN },
  { definition: "one with fields that Codex does not know", group: { hooks: [{ ...hook, extra: 1 }] }, hash: PLAIN },
];
test.for(trusted)("$definition is trusted", ({ group, hash }) => {
  expect(isHookTrusted(codexHome({ group, hash }))).toBe(true);
});

const untrusted = [
  { definition: "one that was changed", group: { hooks: [{ ...hook, timeout: 31 }] }, hash: PLAIN },
  { definition: "one at another place", group: { hooks: [hook] }, hash: PLAIN, key: "stop:0:1" },
  { definition: "one of another event", group: { hooks: [hook] }, hash: PLAIN, key: "session_end:0:0" },
  {
    definition: "somebody else's",
    group: { hooks: [{ type: "command", command: "true other", timeout: 5 }] },
    hash: "f939a529a429dfb49a1a96bb602fde8175bcbeb1603be9fd43a65f413a617cd8",
  },
  { definition: "one without a hash", group: { hooks: [hook] }, hash: null },
  { definition: "one that was switched off", group: { hooks: [hook] }, hash: PLAIN, more: "enabled = false\n" },
];
test.for(untrusted)("$definition is not", (given) => {
  expect(isHookTrusted(codexHome(given))).toBe(false);
});

test("a home without hooks has none that are trusted", () => {
  expect(isHookTrusted(join(tmpdir(), "there-is-no-such-folder"))).toBe(false);
});

interface Given {
  readonly group: unknown;
  readonly hash: string | null;
  readonly key?: string;
  readonly more?: string;
}

function codexHome({ group, hash, key = "stop:0:0", more = "" }: Given): string {
  const home = mkdtempSync(join(tmpdir(), "checkpoint-trust-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, "hooks.json"), JSON.stringify({ hooks: { Stop: [group] } }));
  const state = `[hooks.state."${home}/hooks.json:${key}"]\ntrusted_hash = "sha256:${hash}"\n${more}`;
  writeFileSync(join(home, "config.toml"), hash === null ? "" : state);
  return home;
}
