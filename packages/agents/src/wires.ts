import type { AgentName } from "@agent-checkpoint/transcript";
import { claude } from "./claude/wire.ts";
import { codex } from "./codex/wire.ts";
import { copilot } from "./copilot/wire.ts";
import { gemini } from "./gemini/wire.ts";
import { opencode } from "./opencode/wire.ts";
import { pi } from "./pi/wire.ts";
import { qwen } from "./qwen/wire.ts";
import type { Environment, Payload, Wire } from "./wire/wire.ts";

export type {
  AnswerExtras,
  CompactionEvent,
  HookEvent,
  ParsedEvent,
  Payload,
  PromptEvent,
  SessionEvent,
  StopEvent,
  ToolEvent,
  ToolTarget,
  Wire,
} from "./wire/wire.ts";

/** How each agent speaks to its hooks; a hook loads this entry and nothing else of the package. */
export const WIRES: Readonly<Record<AgentName, Wire>> = { claude, gemini, codex, copilot, qwen, opencode, pi };

/**
 * The agent that calls our hook, whoever it was registered for; null for one that we do not serve.
 *
 * Several agents also run the hooks of Claude Code's settings, with events in its words and transcripts of their own; those
 * that we serve run no other agent's. `CLAUDE_PROJECT_DIR` is set by all of them. A variable alone is no proof either: the
 * commands of an agent inherit it, and may start another agent.
 */
export function callerOf(registeredFor: AgentName, payload: Payload, env: Environment): AgentName | null {
  const isPossible = (agent: AgentName | null) => (agent === null ? !isCanary(payload) : registeredFor === "claude");
  const found = CALLERS.find(({ agent, calls }) => isPossible(agent) && calls(payload, env));
  return found === undefined ? registeredFor : found.agent;
}

/** The agents that run the hooks of others, and how a payload of each is told; null for those that we do not serve. */
const CALLERS: readonly {
  readonly agent: AgentName | null;
  readonly calls: (payload: Payload, env: Environment) => boolean;
}[] = [
  // Grok, and the hooks of VS Code: nobody whom we serve names an event like this.
  { agent: null, calls: (payload) => "hookEventName" in payload },
  { agent: null, calls: ({ session_id }, { GROK_SESSION_ID: own }) => Boolean(own) && session_id === own },
  // Cursor sets the variable for hooks only.
  { agent: null, calls: (payload, { CURSOR_VERSION: version }) => Boolean(version) || "conversation_id" in payload },
  // Kimi CLI, which names no transcript, and Factory droid: they run our hook if somebody registers it with them.
  { agent: null, calls: (payload) => "client_type" in payload || "tool_execution_count" in payload },
  { agent: "qwen", calls: ({ session_id }, { QWEN_CODE_SESSION_ID: own }) => Boolean(own) && session_id === own },
  // Its commands inherit the variable, and may start Claude Code, whose events have no time, but a mode.
  {
    agent: "copilot",
    calls: (payload, { COPILOT_CLI: isSet }) =>
      isSet === "1" && "timestamp" in payload && !("permission_mode" in payload) && !("prompt_id" in payload),
  },
];

/** What marks an event that `checkpoint doctor` sends to see that the hook answers; no agent sends this field. */
export const CANARY_MARK = { agent_checkpoint_canary: true } as const;

/** Whether an event was sent by `checkpoint doctor`. */
export function isCanary(payload: Payload): boolean {
  return payload["agent_checkpoint_canary"] === CANARY_MARK.agent_checkpoint_canary;
}
