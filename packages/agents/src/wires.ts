import type { AgentName } from "@agent-checkpoint/transcript";
import { claude } from "./claude/wire.ts";
import { codex } from "./codex/wire.ts";
import { gemini } from "./gemini/wire.ts";
import type { Wire } from "./wire/wire.ts";

export { CANARY_MARK, isCanary } from "./wire/wire.ts";
export type {
  AnswerExtras,
  CompactionEvent,
  HookEvent,
  ParsedEvent,
  Payload,
  PromptEvent,
  StopEvent,
  ToolEvent,
  ToolTarget,
  Wire,
} from "./wire/wire.ts";

/** How each agent speaks to its hooks; a hook loads this entry and nothing else of the package. */
export const WIRES: Readonly<Record<AgentName, Wire>> = { claude, gemini, codex };
