import { SCENARIO_AGENTS } from "@agent-checkpoint/fixtures";
import type { Scenario } from "@agent-checkpoint/fixtures";
import { describe, test } from "vitest";
import { SECRET_TEXTS, traceOf } from "../../../../packages/redaction/src/testing/secret-texts.ts";
import {
  NAME_PLACES,
  TOKENS,
  VALUE_PLACES,
} from "../../../../packages/commands/src/shell/testing/secrets-in-commands.ts";
import { bytesOf } from "../testing/bytes-of.ts";
import { reasonOf } from "../testing/hook-process.ts";
import { stageScenario } from "../testing/stage-scenario.ts";

/** A turn in which commands failed, with secrets in them, in their output and in the prompt. */
const failing = (...texts: readonly string[]): Scenario => ({
  name: "secret",
  title: "Failing commands hold secrets.",
  prompt: `Deploy with ${texts.join(" or ")}`,
  minutes: 4,
  committed: ["src/a.ts", "src/a.test.ts", "src/a.py", "README.md"],
  modified: ["src/a.ts", "src/a.py"],
  turn: [
    { read: "src/a.ts" },
    { edit: "src/a.ts" },
    { read: "src/a.py" },
    { edit: "src/a.py" },
    ...texts.map((text) => ({ shell: text, exit: 1, output: `refused: ${text}` })),
  ],
  blocks: true,
});

/** The files of a home that hold a text, each by name. */
const holders = (home: string, text: string) =>
  Object.entries(bytesOf(home)).flatMap(([name, bytes]) => (bytes.includes(text) ? [name] : []));

describe("secrets in failing commands are neither said nor kept", () => {
  test.concurrent.for(SCENARIO_AGENTS)("%s: one of each kind", async (agent, { expect }) => {
    const texts = SECRET_TEXTS.map(({ text }) => `pytest ${text}`);
    const { prompt, stop, home } = await stageScenario(failing(...texts, "PAT=hunter2-Correct pytest -k x"), agent);
    await prompt();
    const answer = await stop({ last_assistant_message: "Used hunter2-Correct" });
    expect(reasonOf(answer)).toContain("`PAT=… pytest -k …` (and ");
    const traces = [...SECRET_TEXTS.map(traceOf), "hunter2"];
    expect(traces.filter((trace) => answer.stdout.includes(trace))).toEqual([]);
    expect(holders(home, " pytest -k ").length).toBeGreaterThan(0);
    expect(traces.flatMap((trace) => holders(home, trace))).toEqual([]);
  });

  const places = [...VALUE_PLACES, ...NAME_PLACES];
  /** Each place with another token, until every token had its turn. */
  const commands = places.flatMap((place, index) =>
    [0, 1, 2].map((round) => {
      const { token } = TOKENS[(index * 3 + round) % TOKENS.length]!;
      return { token, command: place.replaceAll("§", token) };
    }),
  );
  test.concurrent("tokens of every service in every place", async ({ expect }) => {
    expect(commands.length).toBeGreaterThanOrEqual(243);
    const { prompt, stop, home } = await stageScenario(failing(...commands.map(({ command }) => command)), "claude");
    await prompt();
    const answer = await stop();
    expect(reasonOf(answer)).toContain("failed; verify that");
    const traces = commands.map(({ token }) => token);
    expect(traces.filter((trace) => answer.stdout.includes(trace))).toEqual([]);
    expect(traces.flatMap((trace) => holders(home, trace))).toEqual([]);
  });
});

describe("a secret elsewhere", () => {
  const secret = "DEPLOY_TOKEN=hunter2-Correct";

  test.concurrent("in a file's name is neither said nor kept", async ({ expect }) => {
    const file = `src/${secret}.ts`;
    const scenario: Scenario = { ...failing("x"), modified: [], added: [file], turn: [{ write: file }] };
    const { prompt, stop, home } = await stageScenario(scenario, "claude");
    await prompt();
    expect(reasonOf(await stop())).toContain("- code: `src/DEPLOY_TOKEN=[redacted]`");
    expect(holders(home, "hunter2")).toEqual([]);
  });

  const CONFIG = {
    actions: [{ id: "migrate", steps: [`${secret} make migrate`] }],
    categories: [{ id: "code", label: `code with ${secret}`, include: ["src/**"], action: "migrate" }],
  };
  test.concurrent("in a config is neither said nor kept", async ({ expect }) => {
    const contents = { "checkpoint.config.json": JSON.stringify(CONFIG) };
    const { prompt, stop, home } = await stageScenario({ ...failing("x"), contents }, "claude");
    await prompt();
    const reason = reasonOf(await stop());
    expect(reason).toContain("1. Run `DEPLOY_TOKEN=[redacted] make migrate`");
    expect(reason).toContain("- code with DEPLOY_TOKEN=[redacted]: `src/a.py`, `src/a.ts`");
    expect(reason).not.toContain("hunter2");
    expect(holders(home, "hunter2")).toEqual([]);
  });

  const broken = [
    { where: "a value", config: { scope: secret } },
    { where: "a long value", config: { scope: `${"x".repeat(60)} https://me:hunter2-Correct@host/${"y".repeat(60)}` } },
  ];
  test.concurrent.for(broken)("in a config that cannot be used, in $where", async ({ config }, { expect }) => {
    const contents = { "checkpoint.config.json": JSON.stringify(config) };
    const { prompt, stop, home } = await stageScenario({ ...failing("x"), contents }, "claude");
    await prompt();
    const reason = reasonOf(await stop());
    expect(reason).toContain("The rules of this checkpoint could not be used");
    expect(reason).not.toContain("hunter2");
    expect(bytesOf(home)["checkpoint.log"]).toContain("[redacted]");
    expect(holders(home, "hunter2")).toEqual([]);
  });

  test.concurrent("in an event that cannot be read reaches no log", async ({ expect }) => {
    const { stop, home } = await stageScenario(failing("x"), "claude");
    await stop({ background_tasks: secret });
    expect(bytesOf(home)["checkpoint.log"]).toContain("background_tasks");
    expect(holders(home, "hunter2")).toEqual([]);
  });

  test.concurrent("in an event that passes by its flag reaches no record", async ({ expect }) => {
    const { stop, home } = await stageScenario(failing("x"), "claude");
    await stop({ stop_hook_active: true, prompt_id: secret });
    expect(holders(home, "DEPLOY_TOKEN=[redacted]")).not.toEqual([]);
    expect(holders(home, "hunter2")).toEqual([]);
  });
});
