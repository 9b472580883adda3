import type { Format } from "../format.ts";
import { newCollector } from "./collect-line.ts";
import { readContextUsage } from "./context-usage.ts";
import { findTranscript } from "./find-transcript.ts";
import { readEntries } from "./read-entries.ts";
import { readTurn } from "./read-turn.ts";
import { readSubAgents } from "./sub-agents.ts";

/** What the package knows of Codex. */
export const codex: Format = {
  readTurn,
  readEntries,
  newCollector,
  readSubAgents,
  readContextUsage,
  findTranscript,
};
