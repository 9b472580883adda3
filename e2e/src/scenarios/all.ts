import { CLAUDE_SCENARIOS } from "./claude/all.ts";
import { CLAUDE_SHAPED_SCENARIOS } from "./claude-shaped.ts";
import { CODEX_SCENARIOS } from "./codex/all.ts";
import { GEMINI_SCENARIOS } from "./gemini/all.ts";
import { OWN_PROGRAM_SCENARIOS } from "./own-program.ts";
import type { Scenario } from "./scenario.ts";

/** Every session that is recorded. */
export const SCENARIOS: readonly Scenario[] = [
  ...CLAUDE_SCENARIOS,
  ...GEMINI_SCENARIOS,
  ...CODEX_SCENARIOS,
  ...CLAUDE_SHAPED_SCENARIOS,
  ...OWN_PROGRAM_SCENARIOS,
];
