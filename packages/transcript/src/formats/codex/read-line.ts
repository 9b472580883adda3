import type { Entry } from "../../read/backwards.ts";
import { type JsonObject, objectAt, textAt } from "../../read/json.ts";

/** A rollout line of any generation, without its envelope. */
export type RolloutLine =
  | { readonly kind: "item"; readonly payload: JsonObject; readonly isBare: boolean }
  | { readonly kind: "event"; readonly payload: JsonObject }
  | { readonly kind: "other"; readonly payload: JsonObject }
  | { readonly kind: "foreign" };

/** Takes the envelope off a line; lines of 2025 have none. */
export function readLine({ value }: Entry): RolloutLine {
  const type = textAt(value, "type");
  const payload = objectAt(value, "payload");
  if (payload !== null && type !== null) {
    if (type === "response_item") return { kind: "item", payload, isBare: false };
    if (type === "event_msg") return { kind: "event", payload };
    return ENVELOPES.has(type) ? { kind: "other", payload: { ...payload, type } } : { kind: "foreign" };
  }
  if (type !== null && BARE_ITEMS.has(type)) return { kind: "item", payload: value, isBare: true };
  return "instructions" in value && "id" in value ? { kind: "other", payload: {} } : { kind: "foreign" };
}

const ENVELOPES: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "compacted",
  "world_state",
  "token_usage_record",
  "inter_agent_communication_metadata",
]);

const BARE_ITEMS: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
  "web_search_call",
]);
