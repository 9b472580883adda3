import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messagePath, recordedEvent } from "@agent-checkpoint/fixtures";
import { describe, test } from "vitest";
import { reasonOf } from "./testing/hook-process.ts";
import { logLines } from "./testing/log-lines.ts";
import { ROW_BEFORE, ROW_NOW, SILENCE, stageFault, storedStops } from "./testing/stage-fault.ts";

const GOLDEN = readFileSync(messagePath("daemon-change-not-restarted"), "utf8").trimEnd();

const GROK_TRANSCRIPT = fileURLToPath(
  new URL("../../../fixtures/hook-events/strangers/grok-updates.jsonl", import.meta.url),
);

/** The stop of another agent, which speaks of the staged session. */
const stopOf = (stranger: string) => ({ ...recordedEvent(`strangers/${stranger}-stop`), session_id: "now" });
const grok = stopOf("grok");

/** Takes out of the staged event what these do not send. */
const NOTHING_OF_CLAUDE = { transcript_path: undefined, prompt_id: undefined, last_assistant_message: undefined };

describe("the hook of Claude Code, called by", () => {
  const strangers = [
    { caller: "Grok", event: grok, env: { GROK_SESSION_ID: "now" } },
    { caller: "Grok, by its variable", event: {}, env: { GROK_SESSION_ID: "now" } },
    { caller: "Grok, by its words", event: grok, env: {} },
    { caller: "Cursor, by its variable", event: {}, env: { CURSOR_VERSION: "2.0.0" } },
    { caller: "Cursor, by its words", event: { conversation_id: "now", loop_count: 0 }, env: {} },
    { caller: "Kimi CLI", event: { ...NOTHING_OF_CLAUDE, ...stopOf("kimi") }, env: {} },
    { caller: "Factory droid", event: { ...NOTHING_OF_CLAUDE, ...stopOf("droid") }, env: {} },
  ];
  test.concurrent.for(strangers)("$caller: passes without a trace", async ({ event, env }, { expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt();
    expectHere(await staged.stop({ event, env })).toEqual(SILENCE);
    expectHere(logLines(staged.home)).toEqual([]);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
  });

  const own = [
    { caller: "the Agent SDK", env: { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "sdk-ts" } },
    { caller: "Claude Code in a command of Grok", env: { GROK_SESSION_ID: "another" } },
    { caller: "Claude Code in a command of Copilot CLI", env: { COPILOT_CLI: "1" } },
    { caller: "Claude Code in a command of Qwen Code", env: { QWEN_CODE_SESSION_ID: "another" } },
  ];
  test.concurrent.for(own)("$caller: blocks once", async ({ env }, { expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt({ env });
    expectHere(reasonOf(await staged.stop({ env }))).toBe(GOLDEN);
    expectHere(await staged.stop({ env })).toEqual(SILENCE);
  });

  test.concurrent("somebody unknown, with a transcript in another form: passes", async ({ expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt();
    expectHere(await staged.stop({ event: { transcript_path: GROK_TRANSCRIPT } })).toEqual(SILENCE);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, "now: pass unknown-transcript"]);
    expectHere(reasonOf(await staged.stop())).toBe(GOLDEN);
    expectHere(storedStops(staged.database)).toContain(ROW_NOW);
  });
});

describe("one turn, whatever mix of hooks is registered", () => {
  const mixes = [
    // It goes by the answer of the hook that it asks last, so each says the same.
    { host: "copilot", registered: ["claude"], later: GOLDEN, env: { COPILOT_CLI: "1" } },
    { host: "copilot", registered: ["claude", "copilot", "claude"], later: GOLDEN, env: { COPILOT_CLI: "1" } },
    { host: "copilot", registered: ["copilot", "claude"], later: GOLDEN, env: { COPILOT_CLI: "1" } },
    { host: "qwen", registered: ["claude", "qwen"], later: null, env: { QWEN_CODE_SESSION_ID: "now" } },
    { host: "qwen", registered: ["qwen", "qwen"], later: null, env: { QWEN_CODE_SESSION_ID: "now" } },
  ] as const;
  test.concurrent.for(mixes)("$host calls the hooks of $registered: one block", async (mix, { expect: expectHere }) => {
    const { host, registered, later, env } = mix;
    const staged = await stageFault(host);
    const answers: (string | null)[] = [];
    for (const agent of registered) await staged.prompt({ env, agent });
    for (const agent of registered) answers.push(reasonOf(await staged.stop({ env, agent })));
    expectHere(answers).toEqual([GOLDEN, ...registered.slice(1).map(() => later)]);
    expectHere(storedStops(staged.database).filter((row) => row === ROW_NOW)).toHaveLength(1);
    expectHere(logLines(staged.home)).toEqual([]);
  });

  const others = [
    { stop: "a later stop of the turn", event: { timestamp: "2026-03-02T10:00:00.000Z" } },
    { stop: "a stop without a time", event: { timestamp: undefined } },
    { stop: "a sub-agent's stop at the same moment", event: { session_id: "worker", agent_id: "worker" } },
  ];
  test.concurrent.for(others)("$stop does not get the message again", async ({ event }, { expect: expectHere }) => {
    const staged = await stageFault("copilot");
    await staged.prompt();
    expectHere(reasonOf(await staged.stop())).toBe(GOLDEN);
    expectHere(await staged.stop({ event })).toEqual(SILENCE);
  });

  test.concurrent.for(["", "{", "[]", `{"sessionId":"now"}`])(
    "what was kept of the answer is damaged, %s: the turn is blocked once",
    async (damaged, { expect: expectHere }) => {
      const staged = await stageFault("copilot");
      await staged.prompt();
      expectHere(reasonOf(await staged.stop())).toBe(GOLDEN);
      writeFileSync(join(staged.home, "last-answer.json"), damaged);
      expectHere(await staged.stop()).toEqual(SILENCE);
      expectHere(logLines(staged.home)).toEqual([]);
    },
  );
});
