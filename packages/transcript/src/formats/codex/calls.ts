import { type CallDraft, parseCall } from "./parse-call.ts";
import { type CompletedItem, filesOf, parseItem } from "./parse-item.ts";
import { parseResult } from "./parse-result.ts";
import { readLine } from "./read-line.ts";
import { type AppliedPatch, scriptCalls, scriptOutcomes, withScriptPatches } from "./script-calls.ts";
import type { Collector, Format } from "../format.ts";
import { type Entry, readEntriesBackwards } from "../../read/backwards.ts";
import { dateAt, type JsonObject, objectAt, textAt } from "../../read/json.ts";
import {
  addCall,
  addOutcome,
  type Call,
  callsIn,
  type Collection,
  newCollection,
  type Outcome,
  pairCalls,
} from "../../turn/calls.ts";

/** Collects the calls of a Codex rollout. */
export const newCollector: Format["newCollector"] = (_transcript, by): Collector => {
  const into: CodexCollection = {
    ...newCollection(),
    runningCalls: new Map(),
    runningCells: new Map(),
    items: new Map(),
    patches: [],
    isPaginated: false,
  };
  return {
    take: (entry) => {
      const line = readLine(entry);
      if (line.kind === "item") collectItem(into, line.payload, { entry, by });
      if (line.kind === "event") collectEvent(into, line.payload, { entry, by });
    },
    part: (range) => {
      const calls = callsIn({ ...into, calls: allCalls(into) }, range);
      return { records: pairCalls(calls, allOutcomes(into)), starters: into.starters };
    },
  };
};

interface CodexCollection extends Collection {
  /** The calls whose commands were still running, by the session they run in. */
  readonly runningCalls: Map<string, string>;
  /** The scripts that were still running, by their cell. */
  readonly runningCells: Map<string, string>;
  /** The commands and file changes that events report, by the id of the call or their own. */
  readonly items: Map<string, CompletedItem & { readonly call: Call }>;
  readonly patches: AppliedPatch[];
  /** The rollout is one of 0.148 or later, whose events report everything that is done. */
  isPaginated: boolean;
}

interface Origin {
  readonly entry: Entry;
  readonly by: Call["by"];
}

function collectItem(into: CodexCollection, item: JsonObject, origin: Origin): void {
  const draft = parseCall(item);
  if (draft !== null) addCall(into, callFrom(draft, origin));
  const result = parseResult(item);
  if (result === null) return;
  addOutcome(into, result.callId, result.outcome, dateAt(origin.entry.value, "timestamp"));
  if (result.startedThread !== null) into.starters.set(result.startedThread, result.callId);
  if (result.runningCell !== null) into.runningCells.set(result.runningCell, result.callId);
  if (result.runningSession !== null) into.runningCalls.set(result.runningSession, result.callId);
}

function callFrom(draft: CallDraft, { entry, by }: Origin): Call {
  return {
    ...draft,
    id: draft.id === "" ? `${draft.toolName}@${entry.offset}` : draft.id,
    timestamp: dateAt(entry.value, "timestamp"),
    by,
    offset: entry.offset,
  };
}

function collectEvent(into: CodexCollection, event: JsonObject, origin: Origin): void {
  into.isPaginated ||= event["type"] === "item_completed";
  const item = parseItem(event);
  if (item !== null) into.items.set(item.draft.id, { ...item, call: callFrom(item.draft, origin) });
  const agent = parseAgentActivity(event);
  const isNews = agent !== null && (agent.isStart || !into.starters.has(agent.thread));
  if (isNews) into.starters.set(agent.thread, agent.callId);
  // A command that ends after its turn was stopped along with it, which says nothing about the work.
  if (event["type"] === "task_complete") dropItems(into, textAt(event, "turn_id"));
  if (event["type"] === "patch_apply_end" && event["success"] === true) {
    const files = filesOf(objectAt(event, "changes") ?? {});
    into.patches.push({ callId: textAt(event, "call_id") ?? "", offset: origin.entry.offset, files });
  }
}

function dropItems({ items }: CodexCollection, turnId: string | null): void {
  for (const [id, item] of items) if (item.turnId === turnId) items.delete(id);
}

/** The calls of the model, and those that its scripts made. */
function allCalls({ calls, items, patches, runningCalls, isPaginated }: CodexCollection): Map<string, Call> {
  const nested = [...items.values()].filter(({ draft }) => !calls.has(draft.id)).map(({ call }) => call);
  const own = [...calls.values()].flatMap((call) => [
    ...(isPaginated ? [] : scriptCalls(call)),
    withScriptPatches(withWatchedCommand(call, { calls, runningCalls }), { calls, patches }),
  ]);
  return new Map([...nested, ...own].map((call) => [call.id, call]));
}

/** `write_stdin` feeds or watches a command that was left running, so its outcome is that command's. */
function withWatchedCommand(
  call: Call,
  { calls, runningCalls }: Pick<CodexCollection, "calls" | "runningCalls">,
): Call {
  if (call.toolName !== "write_stdin") return call;
  const watched = calls.get(runningCalls.get(String(call.inputData["session_id"])) ?? "");
  return watched === undefined ? call : { ...call, kind: "shell", command: watched.command };
}

/** An item reports the end of a command that was still running when its call returned. */
function allOutcomes(into: CodexCollection): ReadonlyMap<string, Outcome> {
  const { outcomes, items, isPaginated } = into;
  const settled = new Map([...outcomes, ...(isPaginated ? [] : scriptOutcomes(into))]);
  for (const [id, { outcome, call }] of items) {
    const known = settled.get(id);
    if (known === undefined || known.hadError === null) settled.set(id, { ...outcome, at: call.timestamp });
  }
  return settled;
}

/** What an event reports about a sub-agent. */
export interface AgentActivity {
  readonly thread: string;
  /** The call that started it, or an id of the event's own. */
  readonly callId: string;
  readonly isStart: boolean;
}

/** The sub-agent activity that an event reports, or null. */
export function parseAgentActivity(event: JsonObject): AgentActivity | null {
  const item = event["type"] === "item_completed" ? objectAt(event, "item") : null;
  const thread = item?.["type"] === "SubAgentActivity" ? textAt(item, "agent_thread_id") : null;
  if (item === null || thread === null) return null;
  return { thread, callId: textAt(item, "id") ?? "", isStart: item["kind"] === "started" };
}

/** Yields the lines of a Codex rollout backwards. */
export const readEntries: Format["readEntries"] = ({ file }, tally, range) => readEntriesBackwards(file, tally, range);
