import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "@agent-checkpoint/store";
import { beforeEach, describe, expect, test } from "vitest";
import type { Environment } from "../environment.ts";
import type { RuleRow } from "../rules/read-rules.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { withStore } from "../with-store.ts";

const NOW = new Date("2026-03-02T12:00:00Z");

let folder = "";
let cwd = "";
let home = "";
let config = "";

beforeEach(() => {
  folder = scratchFolder();
  cwd = join(folder, "repo");
  home = join(folder, "home");
  config = join(cwd, "checkpoint.config.json");
  mkdirSync(join(cwd, ".git"), { recursive: true });
});

const run = (words: string, given: Partial<Environment> = {}): Promise<CliRun> =>
  runCheckpoint(["rules", ...words.split(" ").filter(Boolean)], {
    cwd,
    userHome: folder,
    home,
    now: () => NOW,
    ...given,
  });

let stopId = 0;

/** Records answers that a rule got, the later calls as the newer ones. */
async function record(times: number, outcome: Outcome["outcome"], fields: Partial<Outcome> = {}): Promise<void> {
  const rows = Array.from({ length: times }, (): Outcome => {
    stopId += 1;
    return {
      stopId,
      rule: "tests",
      kind: "action",
      mode: "require",
      agent: "claude",
      repository: cwd,
      outcome,
      at: new Date(NOW.getTime() - 1e6 + stopId),
      why: null,
      note: null,
      seconds: null,
      tokens: null,
      judgedAt: NOW,
      ...fields,
    };
  });
  await withStore(home, (store) => store.outcomes.record(rows));
}

const rowsOf = async (rule: string): Promise<readonly RuleRow[]> =>
  (JSON.parse((await run("--json")).stdout) as { rules: RuleRow[] }).rules.filter((row) => row.rule === rule);

test("a rule has its mode, its source, what came of it and what that suggests", async () => {
  await record(12, "ignored");
  await record(2, "done");
  await record(3, "waived");
  await record(1, "unknown");
  await record(50, "done", { repository: join(folder, "elsewhere") });
  expect(await rowsOf("tests")).toMatchObject([
    {
      kind: "action",
      agent: null,
      mode: "require",
      source: "default",
      asked: 18,
      recent: 17,
      counts: { done: 2, partly: 0, ignored: 12, waived: 3, escaped: 0, moot: 0, unknown: 1 },
      worth: { of: 2 / 17 },
      suggestion: { mode: "advise", agent: null },
    },
  ]);
  const { stdout } = await run("");
  expect(stdout).toMatch(/^RULE +MODE +FROM +ASKED +DONE +IGNORED +WAIVED +UNKNOWN +WORTH\n/);
  expect(stdout).toMatch(/^tests +require +default +18 +2 +12 +3 +1 +12 % \(4-30\)$/m);
  expect(stdout).toContain("\n  checkpoint rules set tests advise\n");
});

test("a rule without answers is listed, and nothing is suggested", async () => {
  const { stdout, exitCode } = await run("");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^tests +require +default +0 +0 +0 +0 +-$/m);
  expect(stdout).toContain("No rule's answers speak for another mode.");
});

test("an agent with a mode of its own has a row of its own", async () => {
  writeFileSync(config, `{ "modes": { "tests": { "codex": "shadow" } } }`);
  await record(20, "escaped", { agent: "codex", mode: "shadow" });
  await record(9, "done");
  expect(await rowsOf("tests")).toMatchObject([
    { agent: null, mode: "require", source: "checkpoint.config.json", asked: 9, suggestion: null },
    { agent: "codex", mode: "shadow", asked: 20, suggestion: { mode: "require", agent: "codex" } },
  ]);
});

test("a mode that the program has given says since when, and a person's word stands before it", async () => {
  const moved = { rule: "tests", agent: "", mode: "advise", since: new Date("2026-03-01T12:00:00Z") };
  await withStore(home, (store) => store.modes.move(cwd, moved));
  const shown = async (text: string) => {
    writeFileSync(config, text);
    return (await rowsOf("tests")).map(({ mode, source }) => [mode, source]);
  };
  expect(await shown(`{ "noise": "auto" }`)).toEqual([["advise", "auto, 2026-03-01"]]);
  expect(await shown(`{ "noise": "suggest" }`)).toEqual([["require", "default"]]);
  const given = `{ "noise": "auto", "modes": { "tests": "shadow" } }`;
  expect(await shown(given)).toEqual([["shadow", "checkpoint.config.json"]]);
  const { stdout } = await run("");
  expect(stdout).toMatch(/^tests +shadow +repository +0/m);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("the suggested command does what is suggested, and the answers of the old mode then say nothing", async () => {
  await record(10, "ignored", { agent: "codex" });
  await record(10, "done");
  const command = /^ {2}checkpoint rules (set .+)$/m.exec((await run("")).stdout)?.[1] ?? "";
  expect(command).toBe("set tests advise --agent codex");
  expect((await run(command)).exitCode).toBe(0);
  expect(await rowsOf("tests")).toMatchObject([
    { agent: null, mode: "require", suggestion: null },
    { agent: "codex", mode: "advise", recent: 0, suggestion: null },
  ]);
});

test("rules, stats and the dashboard call the same rules noise, by the mode that they have now", async () => {
  const stop = { projectPath: cwd, reason: "missing-actions", actions: ["tests"], observations: [], durationMs: 9 };
  for (let id = 1; id <= 8; id += 1) {
    const claim = {
      agent: "claude",
      sessionId: "s",
      turns: [String(id)],
      at: new Date(NOW.getTime() - id),
      stop,
    } as const;
    await withStore(home, (store) => store.stops.claimBlock(claim));
    await record(1, "ignored", { stopId: id });
  }
  const json = async (...words: string[]) => {
    const { stdout } = await runCheckpoint([...words, "--json"], { cwd, userHome: folder, home, now: () => NOW });
    return JSON.parse(stdout);
  };
  const verdicts = async () => [
    (await rowsOf("tests")).map(({ suggestion }) => suggestion?.mode ?? null),
    (await json("stats")).rules.map(({ isNoise }: { isNoise: boolean }) => isNoise),
    (await json("dashboard")).noise.map(({ rule }: { rule: string }) => rule),
    (await json("dashboard")).rules.map(({ isNoise }: { isNoise: boolean }) => isNoise),
  ];
  expect(await verdicts()).toEqual([["advise"], [true], ["tests"], [true]]);
  expect((await run("set tests advise")).exitCode).toBe(0);
  expect(await verdicts()).toEqual([[null], [false], [], [false]]);
});

describe("set writes the config", () => {
  const others = ["claude", "gemini", "codex", "copilot", "qwen", "opencode", "pi"]
    .map((name) => `      "${name}": "${name === "codex" ? "off" : "advise"}"`)
    .join(",\n");
  const cases: { title: string; before: string | null; words: string; after: string }[] = [
    { title: "none", before: null, words: "tests shadow", after: `{\n  "modes": {\n    "tests": "shadow"\n  }\n}\n` },
    {
      title: "with comments",
      before: `{\n  // ours\n  "modes": { "tests": "advise" }, // quiet\n  "timerSeconds": 5 /* s */\n}\n`,
      words: "tests off",
      after: `{\n  // ours\n  "modes": { "tests": "off" }, // quiet\n  "timerSeconds": 5 /* s */\n}\n`,
    },
    {
      title: "with tabs, carriage returns and no modes",
      before: `{\r\n\t"timerSeconds": 5 // s\r\n}\r\n`,
      words: "tests off",
      after: `{\r\n\t"modes": {\r\n\t\t"tests": "off"\r\n\t},\r\n\t"timerSeconds": 5 // s\r\n}\r\n`,
    },
    {
      title: "with another rule's mode and a comment on it",
      before: `{\n  "modes": {\n    "wide-change": "off" // too often\n  }\n}\n`,
      words: "tests off",
      after: `{\n  "modes": {\n    "tests": "off",\n    "wide-change": "off" // too often\n  }\n}\n`,
    },
    {
      title: "with modes by agent",
      before: `{ "modes": { "tests": { "pi": "off" } } }\n`,
      words: "tests advise --agent pi",
      after: `{ "modes": { "tests": { "pi": "advise" } } }\n`,
    },
    {
      title: "with a mode for all, of which one agent is taken out",
      before: `{\n  "modes": {\n    "tests": "advise"\n  }\n}\n`,
      words: "tests off --agent codex",
      after: `{\n  "modes": {\n    "tests": {\n${others}\n    }\n  }\n}\n`,
    },
  ];
  test.for(cases)("$title", async ({ before, words, after }) => {
    if (before !== null) writeFileSync(config, before);
    expect(await run(`set ${words}`)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readFileSync(config, "utf8")).toBe(after);
  });
});

describe("set is refused", () => {
  const agent = { env: { CLAUDECODE: "1" } };
  const cases: { title: string; text: string; words: string; given?: Partial<Environment>; says: string }[] = [
    { title: "for an unknown rule", text: "{}", words: "nothing off", says: "there is no rule nothing here" },
    { title: "for an unknown mode", text: "{}", words: "tests loud", says: "require, advise, shadow, off" },
    { title: "in a config that cannot be used", text: "{", words: "tests off", says: "cannot be used" },
    {
      title: "for a check that is switched off",
      text: `{ "checks": { "wide-change": false } }`,
      words: "wide-change require",
      says: "switches wide-change off",
    },
    { title: "to an agent", text: "{}", words: "tests advise", given: agent, says: "only a person may" },
    {
      title: "to an agent for itself",
      text: "{}",
      words: "tests off --agent claude",
      given: agent,
      says: "only a person",
    },
    {
      title: "to an agent that forces it",
      text: "{}",
      words: "tests off --force",
      given: agent,
      says: "at a terminal",
    },
  ];
  test.for(cases)("$title", async ({ text, words, given, says }) => {
    writeFileSync(config, text);
    const { exitCode, stderr } = await run(`set ${words}`, given);
    expect(exitCode).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(says);
    expect(readFileSync(config, "utf8")).toBe(text);
  });

  test("but an agent may make a rule louder", async () => {
    writeFileSync(config, `{ "modes": { "tests": "shadow" } }`);
    expect((await run("set tests require", agent)).exitCode).toBe(0);
    expect(readFileSync(config, "utf8")).toContain(`"tests": "require"`);
  });
});
