import { type JsonObject, objectAt, objectsAt, textAt } from "../../read/json.ts";

/** A message of the human, as an event reports it (`event`) or as the model sees it (`message`). */
export interface UserMessage {
  readonly text: string;
  readonly from: "event" | "message";
}

/**
 * The message of the human in a line, or null.
 *
 * Since 0.148 the event is `item_completed` with a `UserMessage`, before that `user_message`; sessions of 2025 without
 * events contain only what the model saw, where Codex writes much in the human's place.
 */
export function userMessage(kind: "event" | "item", payload: JsonObject): UserMessage | null {
  if (kind === "item") {
    const text = messageText(payload);
    return text === null ? null : { text, from: "message" };
  }
  const text = eventText(payload);
  return text === null || isContext(text) ? null : { text, from: "event" };
}

function eventText(event: JsonObject): string | null {
  if (event["type"] === "user_message") return requestText(textAt(event, "message") ?? "");
  const item = event["type"] === "item_completed" ? objectAt(event, "item") : null;
  if (item === null || item["type"] !== "UserMessage") return null;
  return requestText(partTexts(item).join("\n"));
}

function messageText(item: JsonObject): string | null {
  if (item["type"] !== "message" || item["role"] !== "user") return null;
  const texts = partTexts(item);
  return texts.some((text) => isContext(text)) ? null : requestText(texts.join("\n"));
}

/** The agent's text in an item of the model's conversation; null for any other item. */
export function messageOfAgent(item: JsonObject): string | null {
  return item["type"] === "message" && item["role"] === "assistant" ? partTexts(item).join("\n") : null;
}

function partTexts(item: JsonObject): readonly string[] {
  return objectsAt(item, "content")
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== null);
}

/** How the parts begin that Codex writes in the human's place; one of them makes the whole message context. */
const CONTEXT: readonly string[] = [
  "<environment_context>",
  "<user_instructions>",
  "# AGENTS.md instructions for ",
  "<subagent_notification>",
  "<recommended_plugins>",
  "<turn_aborted>",
  "<heartbeat>",
  "<user_shell_command>",
  "<skill>",
  "<codex_internal_context",
  "<goal_context>",
  "<external_",
  "<hook_prompt",
];

function isContext(text: string): boolean {
  return CONTEXT.some((opening) => text.trimStart().startsWith(opening));
}

const IDE_MARKER = "## My request for Codex:";

/** An IDE wraps the request in what is open; the human's words stand after the last marker. */
function requestText(text: string): string {
  const marker = text.lastIndexOf(IDE_MARKER);
  return marker === -1 ? text : text.slice(marker + IDE_MARKER.length).trim();
}
