import { readEntriesForwards } from "../../read/read-entries-forwards.ts";
import type { Format } from "../format.ts";
import { newCollector } from "./collect-line.ts";
import { readContextUsage } from "./context-usage.ts";
import { endingOf } from "./ending-of.ts";
import { findTranscript } from "./find-transcript.ts";
import { lineText } from "./is-prompt.ts";
import { readEntries } from "./read-entries.ts";
import { readSession } from "./read-session.ts";
import { readTurn } from "./read-turn.ts";
import { newTurnScan } from "./scan-turns.ts";
import { readSubAgents } from "./sub-agents.ts";

/** What the package knows of Claude Code. */
export const claude: Format = {
  readTurn,
  readEntries,
  newCollector,
  readSubAgents,
  readContextUsage,
  findTranscript,
  readSession,
  prepare: (transcript) => transcript,
  readForwards: ({ file }, mentions) => readEntriesForwards(file, mentions),
  newTurnScan,
  endingOf,
  promptText: ({ value }) => lineText(value),
};
