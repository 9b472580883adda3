import type { AgentName } from "./agent-names.ts";
import { claude } from "./claude/format.ts";
import { codex } from "./codex/format.ts";
import type { Format } from "./format.ts";
import { gemini } from "./gemini/format.ts";

/** What the package knows of each agent. */
export const FORMATS: Readonly<Record<AgentName, Format>> = { claude, gemini, codex };
