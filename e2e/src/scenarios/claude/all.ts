import type { Scenario } from "../scenario.ts";
import { BLOCKED_STOPS } from "./blocked-stops.ts";
import { BACKGROUND_WORK } from "./background-work.ts";
import { CALLS } from "./calls.ts";
import { COMPACTIONS } from "./compactions.ts";
import { GATED_CALLS } from "./gated-calls.ts";
import { PROMPTS } from "./prompts.ts";
import { SUB_AGENTS } from "./sub-agents.ts";

/** The sessions recorded with Claude Code. */
export const CLAUDE_SCENARIOS: readonly Scenario[] = [
  ...BLOCKED_STOPS,
  ...CALLS,
  ...GATED_CALLS,
  ...PROMPTS,
  ...SUB_AGENTS,
  ...BACKGROUND_WORK,
  ...COMPACTIONS,
];
