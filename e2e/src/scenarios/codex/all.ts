import type { Scenario } from "../scenario.ts";
import { BLOCKED_STOPS } from "./blocked-stops.ts";
import { CALLS } from "./calls.ts";
import { CODE_MODE } from "./code-mode.ts";
import { EARLY_VERSIONS } from "./early-versions.ts";
import { GATED_CALLS } from "./gated-calls.ts";
import { SUB_AGENTS } from "./sub-agents.ts";
import { TURNS } from "./turns.ts";

/** The sessions recorded with Codex. */
export const CODEX_SCENARIOS: readonly Scenario[] = [
  ...BLOCKED_STOPS,
  ...CALLS,
  ...GATED_CALLS,
  ...CODE_MODE,
  ...TURNS,
  ...SUB_AGENTS,
  ...EARLY_VERSIONS,
];
