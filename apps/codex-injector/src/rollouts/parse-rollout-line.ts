import { hookPromptText } from "./hook-prompt-text.ts";
import { parseThread } from "./parse-thread.ts";
import type { RolloutEvent, TurnEvent } from "./rollout-event.ts";
import {
  dateAt,
  type JsonObject,
  objectAt,
  objectsAt,
  parseObject,
  readLine,
  textAt,
  userMessage,
} from "@agent-checkpoint/transcript/reading";

/** What one line of a rollout of any generation tells us, or null. */
export const parseRolloutLine = (text: string): RolloutEvent | null => {
  const value = parseObject(text);
  if (value === null) return null;
  const line = readLine({ offset: 0, value });
  const at = dateAt(value, "timestamp");
  if (line.kind === "event") return parseEvent(line.payload, at);
  if (line.kind === "item")
    return parseItem(line.payload, { at, isBare: line.isBare, isPaginated: "ordinal" in value });
  return line.kind === "other" ? parseThread(value) : null;
};

const parseEvent = (event: JsonObject, at: Date | null): TurnEvent | null => {
  const turnId = textAt(event, "turn_id");
  const message = userMessage("event", event);
  if (message !== null) return { type: "user-message", turnId, at, text: message.text };
  return TURN_EVENTS.get(event["type"])?.(event, { turnId, at }) ?? null;
};

type TurnEventParser = (event: JsonObject, origin: Pick<TurnEvent, "turnId" | "at">) => TurnEvent | null;

const TURN_EVENTS: ReadonlyMap<unknown, TurnEventParser> = new Map<unknown, TurnEventParser>([
  ["task_started", (event, origin) => ({ type: "turn-started", ...origin, startedBy: startedBy(event) })],
  [
    "task_complete",
    (event, origin) => ({
      type: "turn-finished",
      ...origin,
      lastMessage: textAt(event, "last_agent_message"),
      hasError: (event["error"] ?? null) !== null,
    }),
  ],
  ["turn_aborted", (_event, origin) => ({ type: "turn-aborted", ...origin })],
  [
    "item_completed",
    (event, origin) => {
      const item = objectAt(event, "item");
      if (item === null || item["type"] !== "HookPrompt") return null;
      const fragments = objectsAt(item, "fragments").map((fragment) => textAt(fragment, "text") ?? "");
      return { type: "hook-prompt", ...origin, text: fragments.join("\n") };
    },
  ],
]);

const TRIGGERS = ["user", "queue", "exec"] as const;

const startedBy = (event: JsonObject): (typeof TRIGGERS)[number] | null => {
  const trigger = objectAt(event, "turn_attribution")?.["turn_trigger"];
  return TRIGGERS.find((known) => known === trigger) ?? null;
};

interface ItemOrigin {
  readonly at: Date | null;
  readonly isBare: boolean;
  readonly isPaginated: boolean;
}

/** What the model sees tells of a human only where nothing else does, and of a hook until events did. */
const parseItem = (item: JsonObject, { at, isBare, isPaginated }: ItemOrigin): TurnEvent | null => {
  if (isBare) {
    const message = userMessage("item", item);
    return message === null ? null : { type: "user-message", turnId: null, at, text: message.text };
  }
  const text = isPaginated ? null : hookPromptText(item);
  return text === null ? null : { type: "hook-prompt", turnId: null, at, text };
};
