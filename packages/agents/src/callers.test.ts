import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Payload } from "./wire/wire.ts";
import { callerOf, WIRES } from "./wires.ts";

const EVENTS = fileURLToPath(new URL("../../../fixtures/hook-events", import.meta.url));

/** Every recorded event, by the folder of who sent it. */
const recorded = globSync("*/*.json", { cwd: EVENTS }).map((file) => ({
  sender: dirname(file),
  name: basename(file, ".json"),
  payload: JSON.parse(readFileSync(`${EVENTS}/${file}`, "utf8")) as Payload,
}));
const strangers = recorded.filter(({ sender }) => sender === "strangers");
const ours = AGENT_NAMES.flatMap((agent) =>
  recorded.filter(({ sender }) => sender === agent).map((event) => ({ agent, ...event })),
);

/** What the commands of an agent inherit from it, and an agent that such a command starts. */
const inherited = fc.record(
  {
    GROK_SESSION_ID: fc.uuid(),
    QWEN_CODE: fc.constant("1"),
    QWEN_CODE_SESSION_ID: fc.uuid(),
    COPILOT_CLI: fc.constant("1"),
    COPILOT_AGENT_SESSION_ID: fc.uuid(),
    CLAUDECODE: fc.constant("1"),
    CLAUDE_PROJECT_DIR: fc.constant("/elsewhere"),
    GEMINI_CLI: fc.constant("1"),
    CODEX_THREAD_ID: fc.uuid(),
    OPENCODE: fc.constant("1"),
    PI_CODING_AGENT: fc.constant("true"),
  },
  { requiredKeys: [] },
);

describe("who calls the hook", () => {
  test.for(ours)("$agent, $name: itself, in a command of whatever other agents", ({ agent, payload }) => {
    fc.assert(fc.property(inherited, (env) => callerOf(agent, payload, env) === agent));
  });

  test.for(strangers)("$name: nobody whom we serve, whoever it was registered for", ({ payload }) => {
    fc.assert(
      fc.property(fc.constantFrom(...AGENT_NAMES), inherited, (agent, env) => callerOf(agent, payload, env) === null),
    );
  });

  const copilots = ours.filter(({ agent }) => agent === "copilot");
  test.for(copilots)("Copilot CLI with Claude Code's hook, $name: Copilot CLI", ({ payload }) => {
    fc.assert(fc.property(inherited, (env) => callerOf("claude", payload, { ...env, COPILOT_CLI: "1" }) === "copilot"));
  });

  test("anybody, with anything: an agent that we serve or nobody, and an event or a reason", () => {
    const words = [...new Set(recorded.flatMap(({ payload }) => Object.keys(payload)))];
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(...recorded.flatMap(({ payload }) => Object.values(payload))),
    );
    const payloads = fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), values);
    const agents = fc.constantFrom(...AGENT_NAMES);
    fc.assert(
      fc.property(agents, payloads, inherited, (agent, payload, env) => {
        const caller = callerOf(agent, payload, env);
        if (caller === null) return;
        expect(agent === "claude" ? AGENT_NAMES : [agent]).toContain(caller);
        const parsed = WIRES[caller].parse(payload, env);
        expect(typeof (parsed.ok ? parsed.event.type : parsed.detail)).toBe("string");
      }),
    );
  });
});
