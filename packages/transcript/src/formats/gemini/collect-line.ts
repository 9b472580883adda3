import type { Entry } from "../../read/backwards.ts";
import { dateAt, type JsonObject, objectsAt, textAt } from "../../read/json.ts";
import {
  addCall,
  addOutcome,
  type Call,
  callsIn,
  type Collection,
  newCollection,
  pairCalls,
} from "../../turn/calls.ts";
import type { Collector, Format } from "../format.ts";
import { parseCall } from "./parse-call.ts";
import { parseResult } from "./parse-result.ts";

/** Collects the calls of a Gemini CLI transcript. */
export const newCollector: Format["newCollector"] = (_transcript, by): Collector => {
  const into = newCollection();
  return {
    take: (entry) => {
      for (const toolCall of objectsAt(entry.value, "toolCalls").toReversed())
        collectCall(into, toolCall, { entry, by });
    },
    part: (range) => ({ records: pairCalls(callsIn(into, range), into.outcomes), starters: into.starters }),
  };
};

function collectCall(into: Collection, toolCall: JsonObject, { entry, by }: { entry: Entry; by: Call["by"] }): void {
  const call = parseCall(toolCall, { message: entry.value, offset: entry.offset, by });
  if (call === null) return;
  addCall(into, call);
  const outcome = parseResult(toolCall, call.kind);
  if (outcome !== null) addOutcome(into, call.id, outcome, dateAt(toolCall, "timestamp"));
  const agentId = textAt(toolCall, "agentId");
  if (agentId !== null) into.starters.set(agentId, call.id);
}
