import { readEntriesForwards } from "../../read/forwards.ts";
import type { Format } from "../format.ts";
import { newCollector } from "./calls.ts";
import { readContextUsage } from "./context-usage.ts";
import { endingOf } from "./ending-of.ts";
import { findTranscript } from "./find-transcript.ts";
import { readEntries } from "./read-entries.ts";
import { readSession } from "./read-session.ts";
import { lineText, readSubAgents, readTurn } from "./read-turn.ts";
import { newTurnScan } from "./scan-turns.ts";

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
