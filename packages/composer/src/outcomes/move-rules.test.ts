import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Outcome, type Store } from "@agent-checkpoint/store";
import { expect, onTestFinished, test } from "vitest";
import { moveRules } from "./move-rules.ts";

const NOW = new Date("2026-03-02T12:00:00Z");

interface Staged {
  readonly store: Store;
  readonly answered: (times: number, outcome: Outcome["outcome"], fields?: Partial<Outcome>) => Promise<void>;
  /** Lets the program move rules, and gives the modes that it has given. */
  readonly move: () => Promise<readonly (readonly string[])[]>;
  readonly log: () => readonly string[];
}

/** A repository with a config, and a store. */
async function stage(config: object): Promise<Staged> {
  const folder = mkdtempSync(join(tmpdir(), "move-rules-"));
  const [home, repository] = [join(folder, "home"), join(folder, "repository")];
  for (const path of [home, join(repository, ".git")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(repository, "checkpoint.config.json"), JSON.stringify(config));
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const { store } = opened;
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let stopId = 0;
  return {
    store,
    answered: (times, outcome, fields = {}) =>
      store.outcomes.record(
        Array.from({ length: times }, (): Outcome => {
          stopId += 1;
          return {
            stopId,
            rule: "tests",
            kind: "action",
            mode: "require",
            agent: "claude",
            repository,
            at: new Date(NOW.getTime() - 1_000_000 + stopId),
            outcome,
            why: null,
            note: null,
            seconds: null,
            tokens: null,
            judgedAt: NOW,
            ...fields,
          };
        }),
      ),
    move: async () => {
      await moveRules(store, { home, now: NOW });
      return (await store.modes.list(repository)).map(({ rule, agent, mode }) => [rule, agent, mode]);
    },
    log: () => {
      try {
        return readFileSync(join(home, "checkpoint.log"), "utf8").trimEnd().split("\n");
      } catch {
        return [];
      }
    },
  };
}

const AUTO = { noise: "auto" };

const stays: { title: string; config: object; ignored: number }[] = [
  { title: "7 ignored answers are too few", config: AUTO, ignored: 7 },
  { title: "the config only suggests", config: {}, ignored: 30 },
  { title: "a person has given the mode", config: { ...AUTO, modes: { tests: "require" } }, ignored: 30 },
  {
    title: "a person has given it for this agent",
    config: { ...AUTO, modes: { tests: { claude: "require" } } },
    ignored: 30,
  },
];
test.for(stays)("nothing moves: $title", async ({ config, ignored }) => {
  const { answered, move, log } = await stage(config);
  await answered(ignored, "ignored");
  expect([await move(), log()]).toEqual([[], []]);
});

test("a rule is moved once, and one line of the log says so", async () => {
  const { answered, move, log } = await stage(AUTO);
  await answered(8, "ignored");
  expect(await move()).toEqual([["tests", "", "advise"]]);
  expect(await move()).toEqual([["tests", "", "advise"]]);
  expect(log()).toEqual([expect.stringMatching(/ info rule-moved .*rule=tests .*from=require to=advise .*ignored=8/)]);
});

test("where agents differ, it is moved for the one that does not hear it", async () => {
  const { answered, move } = await stage(AUTO);
  await answered(20, "done");
  await answered(20, "ignored", { agent: "codex" });
  expect(await move()).toEqual([["tests", "codex", "advise"]]);
});

test("it comes back when what it asks for is done, and not when it is left", async () => {
  const { answered, move, log } = await stage(AUTO);
  await answered(8, "ignored");
  await move();
  // Advice that was not given, of which the work was committed without tests.
  await answered(60, "escaped", { mode: "shadow" });
  expect(await move()).toEqual([["tests", "", "advise"]]);
  await answered(60, "done", { mode: "shadow" });
  expect(await move()).toEqual([["tests", "", "require"]]);
  expect(log()).toHaveLength(2);
});
