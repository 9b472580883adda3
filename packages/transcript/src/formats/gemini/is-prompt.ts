import { type JsonObject, objectsAt, textAt } from "../../read/json.ts";

/**
 * Whether a message is a human prompt.
 *
 * Gemini CLI writes tool results, its preamble, summaries and the reason of a denied stop as `user` messages too. The
 * last of these looks like any prompt: it is recognised by comparison with the human's prompt, which the hook reports, or by our words.
 */
export function isPrompt(message: JsonObject, ownMessages: readonly string[]): boolean {
  if (message["type"] !== "user" || isToolResult(message)) return false;
  const text = withoutHookContext(messageText(message));
  if (text === "" || text === "?" || isSlashCommand(text)) return false;
  if (OPENINGS.some((opening) => text.startsWith(opening))) return false;
  return !ownMessages.some((own) => own !== "" && text.startsWith(own));
}

/** Whether a message is the prompt that the hook reported, with or without what Gemini CLI puts before it. */
export function isReportedPrompt(message: JsonObject, promptText: string): boolean {
  if (message["type"] !== "user") return false;
  const text = messageText(message).trim();
  const reported = promptText.trim();
  if (text === "" || reported === "") return false;
  return text === reported || text === withoutHookContext(reported) || withoutHookContext(text) === reported;
}

/** The text of a message, whose content is a string or a list of parts. */
export function messageText(message: JsonObject): string {
  return (
    textAt(message, "content") ??
    objectsAt(message, "content")
      .map((part) => textAt(part, "text") ?? "")
      .join("")
  );
}

/** How the texts begin that Gemini CLI writes in the human's place. */
const OPENINGS: readonly string[] = ["<session_context>", "<state_snapshot>", "System: Please continue."];

function isToolResult(message: JsonObject): boolean {
  return objectsAt(message, "content").some((part) => "functionResponse" in part);
}

function isSlashCommand(text: string): boolean {
  return /^\/(?![/*])/.test(text);
}

/** What a session-start hook adds stands before the first prompt. */
function withoutHookContext(text: string): string {
  return text.replace(/^\s*<hook_context>[\s\S]*?<\/hook_context>/, "").trim();
}
