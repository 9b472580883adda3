import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { Wire } from "./wire.ts";

/** The agents that call this program, by the name they are registered with. */
export const WIRES: Readonly<Record<HookAgent, Wire>> = { claude, codex, gemini };

/** An agent with a hook of ours. */
export type HookAgent = (typeof HOOK_AGENTS)[number];

export const HOOK_AGENTS = ["claude", "codex", "gemini"] as const;
