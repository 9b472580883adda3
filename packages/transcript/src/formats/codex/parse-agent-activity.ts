import { type JsonObject, objectAt, textAt } from "../../read/json.ts";

/** What an event tells of a sub-agent. */
export interface AgentActivity {
  readonly thread: string;
  /** The call that started it, or an id of the event's own. */
  readonly callId: string;
  readonly isStart: boolean;
}

/** The sub-agent's doings that an event tells of, or null. */
export function parseAgentActivity(event: JsonObject): AgentActivity | null {
  const item = event["type"] === "item_completed" ? objectAt(event, "item") : null;
  const thread = item?.["type"] === "SubAgentActivity" ? textAt(item, "agent_thread_id") : null;
  if (item === null || thread === null) return null;
  return { thread, callId: textAt(item, "id") ?? "", isStart: item["kind"] === "started" };
}
