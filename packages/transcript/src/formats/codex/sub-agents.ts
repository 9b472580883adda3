import { dirname, join } from "node:path";
import type { SubAgent } from "../../turn/calls.ts";
import type { Format, Period } from "../format.ts";
import { findRollout, rolloutIn } from "./find-transcript.ts";
import { readThread } from "./read-thread.ts";

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
