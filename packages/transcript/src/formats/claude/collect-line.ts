import { basename } from "node:path";
import { type JsonObject, objectAt, objectsAt } from "../../read/json.ts";
import type { Entry } from "../../read/read-entries-backwards.ts";
import type { Call, Outcome } from "../../turn/call.ts";
import { type Collection, addCall, addOutcome, callsIn, newCollection } from "../../turn/collection.ts";
import { readOutput } from "../../turn/read-output.ts";
import { pairCalls } from "../../turn/pair-calls.ts";
import type { Collector, Format } from "../format.ts";
import { parseCall } from "./parse-call.ts";
import { parseResult } from "./parse-result.ts";
import { type TaskEnd, parseTaskEnds } from "./parse-task-end.ts";

/** Collects the calls of a Claude Code transcript. */
export const newCollector: Format["newCollector"] = (transcript, by): Collector => {
  const into: ClaudeCollection = { ...newCollection(), backgroundCalls: new Map(), taskEnds: new Map() };
  return {
    take: (entry) => collectLine(into, entry, isMainLine(transcript.path, entry.value) ? by : "subagent"),
    part: (range) => ({ records: pairCalls(callsIn(into, range), settledOutcomes(into)), starters: into.starters }),
  };
};

/** Whether a line belongs to the thread that the file is of: sub-agents of 1.0 wrote into the main file. */
export const isMainLine = (path: string, line: JsonObject): boolean =>
  line["isSidechain"] !== true || basename(path).startsWith("agent-");

interface ClaudeCollection extends Collection {
  /** The calls that left a background task running, by the task's id. */
  readonly backgroundCalls: Map<string, string>;
  /** How background tasks ended, by the id of the call or of the task. */
  readonly taskEnds: Map<string, TaskEnd>;
}

const collectLine = (into: ClaudeCollection, { offset, value: line }: Entry, by: Call["by"]): void => {
  for (const block of objectsAt(objectAt(line, "message") ?? {}, "content").toReversed()) {
    const call = line["type"] === "assistant" ? parseCall(block, { line, offset, by }) : null;
    if (call !== null) addCall(into, call);
    if (line["type"] === "user") collectResult(into, block, line);
  }
  for (const end of parseTaskEnds(line)) {
    if (!into.taskEnds.has(end.of)) into.taskEnds.set(end.of, end);
  }
};

const collectResult = (into: ClaudeCollection, block: JsonObject, line: JsonObject): void => {
  const result = parseResult(block, line);
  if (result === null) return;
  addOutcome(into, result.callId, result.outcome);
  if (result.backgroundTask !== null) into.backgroundCalls.set(result.backgroundTask, result.callId);
  if (result.agentId !== null) into.starters.set(result.agentId, result.callId);
};

/** The outcomes, with those of background tasks that have ended since. */
const settledOutcomes = ({ outcomes, backgroundCalls, taskEnds }: ClaudeCollection): ReadonlyMap<string, Outcome> => {
  const settled = new Map(outcomes);
  for (const [task, callId] of backgroundCalls) {
    const end = taskEnds.get(callId) ?? taskEnds.get(task);
    const outcome = outcomes.get(callId);
    if (end === undefined || outcome === undefined) continue;
    const shown = end.output === undefined ? {} : readOutput(end.output);
    settled.set(callId, { ...outcome, hadError: end.hadError, exitCode: end.exitCode, ...shown });
  }
  return settled;
};
