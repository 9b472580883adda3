import { readEntriesForwards } from "../../read/forwards.ts";
import type { Format } from "../format.ts";
import { newCollector, readEntries } from "./calls.ts";
import { readContextUsage } from "./context-usage.ts";
import { endingOf } from "./ending-of.ts";
import { findTranscript, readSession } from "./sessions.ts";
import { messageOfAgent } from "./is-prompt.ts";
import { readLine } from "./read-line.ts";
import { newTurnScan, promptIn, readTurn } from "./read-turn.ts";
import { readSubAgents } from "./sub-agents.ts";

/** What the package knows of Codex. */
export const codex: Format = {
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
  promptText: (entry) => promptIn(entry, readLine(entry), [])?.text ?? null,
  replyText: (entry) => {
    const line = readLine(entry);
    return line.kind === "item" ? messageOfAgent(line.payload) : null;
  },
};
