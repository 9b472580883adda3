import { basename, dirname, join } from "node:path";
import { isWrittenSince, listFiles } from "../../read/files.ts";
import { readPeriod } from "../read-period.ts";
import type { Format } from "../format.ts";
import { newCollector } from "./calls.ts";
import { readEntries } from "./read-entries.ts";
import { readSessionId } from "./sessions.ts";

/** Reads the sub-agents of a session, which stand in a folder named for it, beside the main file. */
export const readSubAgents: Format["readSubAgents"] = (transcript, period) => {
  const sessionId = readSessionId(transcript);
  if (sessionId === null || sessionId !== basename(sessionId)) return [];
  return listFiles(join(dirname(transcript.path), sessionId), { name: /\.jsonl$/, depth: 1 })
    .filter((file) => isWrittenSince(file, period.since))
    .map((file) => ({ key: basename(file, ".jsonl"), part: readPeriod(file, period, { readEntries, newCollector }) }))
    .filter(({ part }) => part.records.length > 0);
};
