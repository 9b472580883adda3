import { type JsonObject, objectsAt, textAt } from "@agent-checkpoint/transcript/reading";

/** What a hook told the model, from a message of a rollout before 0.148; null where it is another message. */
export const hookPromptText = (item: JsonObject): string | null => {
  if (item["type"] !== "message" || item["role"] !== "user") return null;
  const prompts = objectsAt(item, "content")
    .map((part) => HOOK_PROMPT.exec(textAt(part, "text") ?? "")?.[1])
    .filter((text) => text !== undefined);
  return prompts.length === 0 ? null : prompts.map((text) => unescape(text)).join("\n");
};

const HOOK_PROMPT = /^\s*<hook_prompt\b[^>]*>([^]*)<\/hook_prompt>\s*$/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
]);

const unescape = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
