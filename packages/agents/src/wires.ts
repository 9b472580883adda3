import type { AgentName } from "@agent-checkpoint/transcript";
import { claude } from "./claude/wire.ts";
import { codex } from "./codex/wire.ts";
import { gemini } from "./gemini/wire.ts";
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
export const WIRES: Readonly<Record<AgentName, Wire>> = { claude, gemini, codex };

/**
 * The agent that calls our hook, whoever it was registered for; null for one that we do not serve.
 *
 * Several agents also run the hooks of Claude Code's settings, with events in its words and transcripts of their own.
 * `CLAUDE_PROJECT_DIR` is set by all of them. A variable alone is no proof either: the commands of an agent inherit it, and
 * may start another agent.
 */
export function callerOf(registeredFor: AgentName, payload: Payload, env: Environment): AgentName | null {
  if (STRANGERS.some((isCaller) => isCaller(payload, env))) return null;
  const names = Object.keys(WIRES) as AgentName[];
  return names.find((name) => WIRES[name].isCaller?.(payload, env)) ?? registeredFor;
}

/** Agents that run the hooks of others, and whose transcripts we cannot read. */
const STRANGERS: readonly NonNullable<Wire["isCaller"]>[] = [
  // Grok, and the hooks of VS Code: nobody whom we serve names an event like this.
  (payload) => "hookEventName" in payload,
  (payload, { GROK_SESSION_ID: session }) => Boolean(session) && payload["session_id"] === session,
  // Cursor sets the variable for hooks only.
  (payload, { CURSOR_VERSION: version }) => Boolean(version) || "conversation_id" in payload,
];

/** What marks an event that `checkpoint doctor` sends to see that the hook answers; no agent sends this field. */
export const CANARY_MARK = { agent_checkpoint_canary: true } as const;

/** Whether an event was sent by `checkpoint doctor`. */
export function isCanary(payload: Payload): boolean {
  return payload["agent_checkpoint_canary"] === CANARY_MARK.agent_checkpoint_canary;
}
