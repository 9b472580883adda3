import type { Format } from "../format.ts";
import { newCollector } from "./calls.ts";
import { readContextUsage } from "./context-usage.ts";
import { endingOf } from "./ending-of.ts";
import { findTranscript, readSession } from "./sessions.ts";
import { messageText } from "./is-prompt.ts";
import { prepare, readEntries, readForwards } from "./read-entries.ts";
import { newTurnScan, readTurn } from "./read-turn.ts";
import { readSubAgents } from "./sub-agents.ts";

/** What the package knows of Gemini CLI. */
export const gemini: Format = {
  readTurn,
  readEntries,
  newCollector,
  readSubAgents,
  readContextUsage,
  findTranscript,
  readSession,
  prepare,
  readForwards,
  newTurnScan,
  endingOf,
  promptText: ({ value }) => messageText(value),
  replyText: ({ value }) => (value["type"] === "gemini" ? messageText(value) || null : null),
};
