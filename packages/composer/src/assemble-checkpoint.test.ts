import { readdirSync, readFileSync } from "node:fs";
import { PRESETS } from "@agent-checkpoint/categories";
import { describe, expect, test } from "vitest";
import { failed, shell, turnOf } from "../../heuristics/src/test-calls.ts";
import { assembleCheckpoint, type Checkpoint, type CheckpointFacts } from "./assemble-checkpoint.ts";
import { GENERIC_MESSAGE } from "./message/texts.ts";

const facts: CheckpointFacts = {
  rules: { ok: true, rules: PRESETS.teleclaude, configFile: null },
  changed: { ok: true, files: ["teleclaude/core/retry.py"] },
  timeline: { hasData: true, toolCalls: [], prompt: { timestamp: null }, isWhole: true },
  place: { projectPath: "/home/dev/project" },
  workingSlug: null,
  plan: null,
  promptAt: new Date("2026-03-02T09:00:00Z"),
  now: new Date("2026-03-02T09:04:00Z"),
};
const generic = { ok: true, rules: PRESETS.generic, configFile: null } as const;
const noGit = { ok: false, reason: "timeout", detail: "no answer in 5000 ms" } as const;
const problems = [{ file: "checkpoint.config.json", key: "scope", expected: "tree or session", found: "3" }];
const unread = { hasData: false, toolCalls: [], reason: "missing" } as const;

const cases: { title: string; given: Partial<CheckpointFacts>; gives: Partial<Checkpoint> }[] = [
  { title: "missing actions", given: {}, gives: { deliver: true, reason: "missing-actions", problem: null } },
  { title: "no files", given: { changed: { ok: true, files: [] } }, gives: { deliver: true, reason: "capture-only" } },
  {
    title: "no files, under quiet rules",
    given: { rules: generic, changed: { ok: true, files: [] } },
    gives: { deliver: false, reason: "capture-only" },
  },
  { title: "nothing new", given: { isUnchanged: true }, gives: { deliver: false, reason: "unchanged" } },
  ...asked("Should negative prices round up, or down?", { deliver: false, reason: "question" }),
  ...asked("Rounded. **Does that look right?**", { deliver: false, reason: "question" }),
  ...asked("Which do you prefer?\n\n1. Up: as the bank does\n2. Down: simpler", { deliver: false, reason: "question" }),
  ...asked("Half done. I need the bank's rule before I can go on. Please paste it (or a link).", {
    deliver: false,
    reason: "question",
  }),
  ...asked("I need to round before I go on to totals. Both are done.", { deliver: true, reason: "missing-actions" }),
  ...asked("Review complete.\n\n**What would you like to do next?**\n\n1. The next story\n2. Done", {
    deliver: true,
    reason: "missing-actions",
  }),
  ...asked("Rounded. Shall I run the tests?\n\n- yes\n- no", { deliver: true, reason: "missing-actions" }),
  ...asked("Rounded. Please tell me if you want more.", { deliver: true, reason: "missing-actions" }),
  ...asked("Rounded. Want me to commit this?", { deliver: true, reason: "missing-actions" }),
  ...asked("All tests pass. Can I help you with anything else?", { deliver: true, reason: "missing-actions" }),
  ...asked("It should work now. Could you check it on your machine?", { deliver: true, reason: "missing-actions" }),
  ...told("Refactor the cart, and skip the tests for now.", { deliver: false, reason: "told-not-to" }),
  ...told("Write tests, don't run anything, I do that in my IDE", { deliver: false, reason: "told-not-to" }),
  ...told("I try it by hand, no tests needed", { deliver: false, reason: "told-not-to" }),
  ...told("Refactor the cart. Do not skip the tests!", { deliver: true, reason: "missing-actions" }),
  ...told("Don't run the tests until the refactoring is done", { deliver: true, reason: "missing-actions" }),
  ...told("Users don't test this well. No tests for it are red?", { deliver: true, reason: "missing-actions" }),
  {
    title: "a prompt that wants no tests, under rules that always speak",
    given: { timeline: ends("Done.", "Skip the tests.") },
    gives: { deliver: true, reason: "missing-actions" },
  },
  ...asked("Should it round up? I chose up.", { deliver: true, reason: "missing-actions" }),
  {
    title: "a question, under rules that always speak",
    given: { timeline: ends("Up, or down?") },
    gives: { deliver: true, reason: "missing-actions" },
  },
  {
    title: "no transcript",
    given: { timeline: unread },
    gives: { deliver: true, reason: "missing-actions", problem: "transcript missing" },
  },
  {
    title: "no answer of git",
    given: { changed: noGit },
    gives: {
      deliver: true,
      reason: "git-unknown",
      message: GENERIC_MESSAGE,
      result: null,
      problem: "timeout: no answer in 5000 ms",
    },
  },
  {
    title: "no answer of git, under quiet rules",
    given: { rules: generic, changed: noGit },
    gives: { deliver: false, reason: "git-unknown" },
  },
  {
    title: "a config that cannot be used",
    given: { rules: { ok: false, problems, configFile: "checkpoint.config.json" }, changed: noGit },
    gives: { deliver: true, reason: "config-problem", result: null, message: expect.stringContaining("`scope`") },
  },
];

function ends(lastWords: string, text = "Round the prices"): CheckpointFacts["timeline"] {
  return { hasData: true, toolCalls: [], prompt: { text, timestamp: null }, isWhole: true, lastWords };
}

/** The same turn, by its prompt. */
function told(prompt: string, gives: Partial<Checkpoint>): typeof cases {
  const changed = { ok: true, files: ["src/a.py"] } as const;
  return [{ title: prompt, given: { rules: generic, changed, timeline: ends("Done.", prompt) }, gives }];
}

/** A turn under quiet rules that changed code, ran nothing, and ended with these words. */
function asked(lastWords: string, gives: Partial<Checkpoint>): typeof cases {
  const changed = { ok: true, files: ["src/a.py"] } as const;
  return [{ title: lastWords, given: { rules: generic, changed, timeline: ends(lastWords) }, gives }];
}

/** The generic rules with modes, for a turn that changed code and ran nothing, or left a test run red. */
const modes = (given: (typeof PRESETS.generic)["modes"]) => ({
  rules: { ...generic, rules: { ...PRESETS.generic, modes: given } },
  changed: { ok: true, files: ["src/a.ts"] } as const,
});
const modal: { title: string; given: Partial<CheckpointFacts>; deliver: boolean; said: boolean; quiet: object }[] = [
  { title: "require", given: modes({ tests: "require" }), deliver: true, said: true, quiet: {} },
  { title: "advise", given: modes({ tests: "advise" }), deliver: false, said: true, quiet: { tests: "advise" } },
  { title: "shadow", given: modes({ tests: "shadow" }), deliver: false, said: false, quiet: { tests: "shadow" } },
  { title: "off", given: modes({ tests: "off" }), deliver: false, said: false, quiet: {} },
  {
    title: "shadow for the agent that stops",
    given: { ...modes({ tests: { codex: "shadow" } }), agent: "codex" },
    deliver: false,
    said: false,
    quiet: { tests: "shadow" },
  },
  {
    title: "shadow for another agent",
    given: { ...modes({ tests: { codex: "shadow" } }), agent: "claude" },
    deliver: true,
    said: true,
    quiet: {},
  },
  {
    title: "moved to advise by the program",
    given: { ...modes({}), moved: [{ rule: "tests", agent: "", mode: "advise", since: new Date(0) }] },
    deliver: false,
    said: true,
    quiet: { tests: "advise" },
  },
];
test.for(modal)("an open rule in the mode $title", ({ given, deliver, said, quiet }) => {
  const checkpoint = assembleCheckpoint({ ...facts, ...given });
  expect({ deliver: checkpoint.deliver, quiet: checkpoint.result?.quiet }).toEqual({ deliver, quiet });
  expect(checkpoint.result?.observations.length === 1).toBe(said);
  expect(checkpoint.message.includes("a run of the tests was not observed")).toBe(said);
});

test.for(cases)("$title: $gives.reason", ({ given, gives }) => {
  const checkpoint = assembleCheckpoint({ ...facts, ...given });
  expect(checkpoint).toMatchObject(gives);
  expect(Object.isFrozen(checkpoint)).toBe(true);
});

describe("tests that stayed red, under quiet rules", () => {
  const red = failed("npm test", { output: "Tests  1 failed | 3 passed (4)" });
  const green = shell("npm test", { output: "Tests  4 passed (4)" });
  const lie = "The README is up to date. All tests pass!";
  const rows = [
    { title: "only documents changed", words: lie, files: ["README.md"], calls: [red], reason: "unresolved-failures" },
    { title: "a later run is green", words: lie, files: ["README.md"], calls: [red, green], reason: "capture-only" },
    { title: "the answer says so", words: "One test fails.", files: ["a.md"], calls: [red], reason: "capture-only" },
    { title: "nothing changed", words: lie, files: [], calls: [red], reason: "capture-only" },
  ];
  test.for(rows)("$title, $words: $reason", ({ words, files, calls, reason }) => {
    const timeline = { ...turnOf(...calls), lastWords: words };
    const found = assembleCheckpoint({ ...facts, rules: generic, changed: { ok: true, files }, timeline });
    expect(found).toMatchObject({ deliver: reason === "unresolved-failures", reason });
    expect(found.message.includes("- Test failures remain: `npm test` failed;")).toBe(found.deliver);
  });
});

test("a remark stands first among the observations of the message, and is no part of the verdict", () => {
  const remark = "The context is 61 % full.";
  const [plain, remarked] = [assembleCheckpoint(facts), assembleCheckpoint({ ...facts, remark })];
  expect(remarked.message).toBe(plain.message.replace("Observations:\n", `Observations:\n- ${remark}\n`));
  expect({ ...remarked, message: plain.message }).toEqual(plain);
});

describe("nothing else judges", () => {
  const root = new URL("../../../", import.meta.url);
  const sources = ["apps", "packages"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /^\w+\/[\w-]+\/src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts")),
  );
  const home = {
    runHeuristics: "packages/heuristics/",
    decideDelivery: "packages/composer/src/message/",
    renderMessage: "packages/composer/src/message/",
  };
  test.for(Object.entries(home))("%s", ([name, own]) => {
    const callers = sources.filter(
      (path) => !path.startsWith(own) && new RegExp(`\\b${name}\\(`).test(readFileSync(new URL(path, root), "utf8")),
    );
    expect(callers).toEqual(["packages/composer/src/assemble-checkpoint.ts"]);
  });
});
