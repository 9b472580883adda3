import type { Scenario } from "../scenario.ts";
import { CALLS } from "./calls.ts";
import { DENIED_STOPS } from "./denied-stops.ts";
import { GATED_CALLS } from "./gated-calls.ts";
import { SESSIONS } from "./sessions.ts";

/** The sessions recorded with Gemini CLI. */
export const GEMINI_SCENARIOS: readonly Scenario[] = [...DENIED_STOPS, ...CALLS, ...GATED_CALLS, ...SESSIONS];
