import type { Format, Period, Transcript } from "./format.ts";
import { dateAt } from "../read/json.ts";
import { type OpenFile, withRegularFile } from "../read/files.ts";
import { newTally } from "../read/backwards.ts";
import { readHead } from "../read/forwards.ts";
import { EMPTY_PART, type Part, recordsUntil } from "../turn/calls.ts";

/** Reads what a sub-agent did in a period, from its own transcript. */
export function readPeriod(
  path: string,
  { since, until }: Period,
  { readEntries, newCollector }: Pick<Format, "readEntries" | "newCollector">,
): Part {
  const reading = withRegularFile(path, (file) => {
    if (until !== null && beginsAfter(file, until)) return EMPTY_PART;
    const transcript: Transcript = { path, file };
    const collector = newCollector(transcript, "subagent");
    let from = file.size;
    for (const entry of readEntries(transcript, newTally())) {
      const moment = dateAt(entry.value, "timestamp");
      if (moment !== null && moment < since) break;
      collector.take(entry);
      from = entry.offset;
    }
    return recordsUntil(collector.part({ from, to: file.size }), until);
  });
  return reading.status === "read" ? reading.value : EMPTY_PART;
}

/** A look at the first lines saves reading the whole of a sub-agent for every turn before it was started. */
function beginsAfter(file: OpenFile, moment: Date): boolean {
  for (const { value } of readHead(file)) {
    const first = dateAt(value, "timestamp") ?? dateAt(value, "startTime");
    if (first !== null) return first > moment;
  }
  return false;
}
