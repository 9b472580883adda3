import { dirname, join } from "node:path";
import { newCollector } from "./calls.ts";
import { findRollout, rolloutIn } from "./sessions.ts";
import type { Format, Period } from "../format.ts";
import { newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { type OpenFile, readBlock, withRegularFile } from "../../read/files.ts";
import { dateAt, type JsonObject, numberAt, objectAt, parseObject, textAt } from "../../read/json.ts";
import { EMPTY_PART, type Part, recordsUntil, type SubAgent } from "../../turn/calls.ts";

/** Reads the sub-agents of a session, and theirs: each has a rollout of its own, named by its thread. */
export const readSubAgents: Format["readSubAgents"] = ({ path }, period, starters) => {
  const read = new Map<string, SubAgent>();
  const waiting = [...starters.keys()];
  for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
    if (read.has(thread) || !/^[\w-]+$/.test(thread)) continue;
    const subAgent = readSubAgent(dirname(path), thread, period);
    read.set(thread, subAgent);
    for (const started of subAgent.part.starters.keys()) waiting.push(started);
  }
  return [...read.values()].filter(({ part }) => part.records.length > 0);
};

function readSubAgent(folder: string, thread: string, period: Period): SubAgent {
  const file =
    rolloutIn(folder, thread) ?? (isDayFolder(folder) ? findRollout(join(folder, "../../.."), thread) : null);
  return { key: thread, part: file === null ? { records: [], starters: new Map() } : readThread(file, thread, period) };
}

function isDayFolder(folder: string): boolean {
  return /[\\/]\d{4}[\\/]\d{2}[\\/]\d{2}$/.test(folder);
}

/**
 * Reads what a sub-agent did in a period, from its own rollout.
 *
 * The rollout may begin with a copy of the parent's history, stamped with the time of the copy. Newer versions say
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
