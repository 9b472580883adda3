import { readEntriesForwards } from "../../read/forwards.ts";
import type { Format } from "../format.ts";
import { newCollector, readEntries } from "./calls.ts";
import { readContextUsage } from "./context-usage.ts";
import { endingOf } from "./ending-of.ts";
import { findTranscript, readSession } from "./sessions.ts";
import { lastWords, lineText, newTurnScan, readSubAgents, readTurn } from "./read-turn.ts";

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
  late: { lastWords, mayBeMissing: false, waitMs: 500 },
  replyText: ({ value }) => lastWords(value) || null,
};
