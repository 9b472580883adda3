import { type OpenFile, readBlock, withRegularFile } from "../../read/files.ts";
import { dateAt, type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../read/json.ts";
import { newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { EMPTY_PART, type Part, recordsUntil } from "../../turn/calls.ts";
import type { Period } from "../format.ts";
import { newCollector } from "./collect-line.ts";

/**
 * Reads what a sub-agent did in a period, from its own rollout.
 *
 * The rollout may begin with a copy of the parent's history, stamped with the time of the copying. Newer versions tell
 * where the sub-agent's own history starts; before that, a turn older than the thread is the parent's.
 */
export function readThread(path: string, thread: string, { since, until }: Period): Part {
  const reading = withRegularFile(path, (file) => {
    const collector = newCollector({ path, file }, "subagent");
    const start = ownStart(file);
    let from = file.size;
    let ownTurn = file.size;
    for (const { offset, value } of readEntriesBackwards(file, newTally())) {
      const moment = dateAt(value, "timestamp");
      if (moment !== null && moment < since) break;
      if (start !== null && (numberAt(value, "ordinal") ?? start) < start) break;
      const turn = startedTurn(value);
      if (start === null && turn !== null && turn < thread) {
        from = ownTurn;
        break;
      }
      if (turn !== null) ownTurn = offset;
      collector.take({ offset, value });
      from = offset;
    }
    return recordsUntil(collector.part({ from, to: file.size }), until);
  });
  return reading.status === "read" ? reading.value : EMPTY_PART;
}

/** The instructions in the first line can be long. */
const HEAD = 512 * 1024;

function ownStart(file: OpenFile): number | null {
  const head = readBlock(file, 0, Math.min(HEAD, file.size));
  const end = head.indexOf("\n");
  const meta = parseObject(head.toString("utf8", 0, end === -1 ? head.length : end)) ?? {};
  return numberAt(objectAt(meta, "payload") ?? {}, "subagent_history_start_ordinal");
}

function startedTurn(line: JsonObject): string | null {
  const payload = objectAt(line, "payload");
  return payload?.["type"] === "task_started" ? textAt(payload, "turn_id") : null;
}
