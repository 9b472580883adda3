import { type JsonObject, objectAt, objectsAt } from "../../read/json.ts";
import { lineText } from "./is-prompt.ts";

/** What the main agent said in a line, nothing where it worked instead; null where the line tells neither. */
export const lastWords = (line: JsonObject): string | null => {
  if (line["isSidechain"] === true || (line["type"] !== "assistant" && line["type"] !== "user")) return null;
  const blocks = new Set(objectsAt(objectAt(line, "message") ?? {}, "content").map((block) => block["type"]));
  if (blocks.has("tool_use") || blocks.has("tool_result")) return "";
  return line["type"] === "assistant" && blocks.has("text") ? lineText(line) : null;
};
