import type { Scenario } from "@agent-checkpoint/fixtures";
import { describe, test } from "vitest";
import { SECRET_TEXTS, traceOf } from "../../../../packages/redaction/src/testing/secret-texts.ts";
import { bytesOf } from "../testing/bytes-of.ts";
import { reasonOf } from "../testing/hook-process.ts";
import { SCENARIO_AGENTS, stageScenario } from "../testing/stage-scenario.ts";

/** A turn in which commands failed, with secrets in the commands, in their output and in the prompt. */
const failing = (...texts: readonly string[]): Scenario => ({
  name: "secret",
  title: "Failing commands hold secrets.",
  prompt: `Deploy with ${texts.join(" or ")}`,
  minutes: 4,
  committed: ["src/a.ts", "src/a.test.ts", "README.md"],
  modified: ["src/a.ts"],
  turn: [
    { read: "src/a.ts" },
    { edit: "src/a.ts" },
    ...texts.map((text) => ({ shell: `pytest ${text}`, exit: 1, output: `refused: ${text}` })),
  ],
  blocks: true,
});

/** The files of a home that hold a text, each by name. */
const holders = (home: string, text: string) =>
  Object.entries(bytesOf(home)).flatMap(([name, bytes]) => (bytes.includes(text) ? [name] : []));

describe("secrets in failing commands are neither said nor kept", () => {
  test.concurrent.for(SCENARIO_AGENTS)("%s: one of each kind", async (agent, { expect }) => {
    const quoted = 'curl -H "Authorization: Bearer hunter2-Correct" host';
    const { prompt, stop, home } = await stageScenario(failing(...SECRET_TEXTS.map(({ text }) => text), quoted), agent);
    await prompt();
    const answer = await stop({ last_assistant_message: `Used ${quoted}` });
    expect(reasonOf(answer)).toContain('`pytest curl -H "Authorization: Bearer [redacted]" host` (and ');
    const traces = SECRET_TEXTS.map(traceOf);
    expect(traces.filter((trace) => answer.stdout.includes(trace))).toEqual([]);
    expect(holders(home, "[redacted]").length).toBeGreaterThan(0);
    expect(traces.flatMap((trace) => holders(home, trace))).toEqual([]);
  });

  /** Some of those that fit into a line of the message. */
  const some = SECRET_TEXTS.filter(({ text }) => text.length < 70 && !text.includes("\n")).filter(
    (_, index) => index % 8 === 0,
  );
  test.concurrent.for(some)("quoted: $clean", async ({ text, clean }, { expect }) => {
    const { stop } = await stageScenario(failing(text), "claude");
    expect(reasonOf(await stop())).toContain(`\`pytest ${clean}\` failed`);
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
    expect(reason).toContain("- code with DEPLOY_TOKEN=[redacted]: `src/a.ts`");
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
