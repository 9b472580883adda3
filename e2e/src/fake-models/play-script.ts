import type { ModelReply, ModelScript } from "./model-script.ts";

/** A script being played: each call gives the next answer of the conversation that the request belongs to. */
export type ScriptPlayer = (request: { readonly userTexts: readonly string[]; readonly body: unknown }) => ModelReply;

/** Starts a script; a conversation that outlives its answers gets an error, which ends the run and shows in its result. */
export function playScript(script: ModelScript): ScriptPlayer {
  const conversations = [...(script.routes ?? []), { words: "", replies: script.replies }].map(
    ({ words, replies }) => ({
      words,
      rest: replies.values(),
    }),
  );
  return ({ userTexts, body }) => {
    const ends = [userTexts.at(0) ?? "", userTexts.at(-1) ?? ""];
    const conversation = conversations.find(({ words }) => ends.some((text) => text.includes(words)));
    return fillIn(conversation?.rest.next().value ?? OVER, JSON.stringify(body));
  };
}

const OVER: ModelReply = { error: { status: 400, message: "The script of this conversation is over." } };

function fillIn(reply: ModelReply, request: string): ModelReply {
  if (!reply.calls) return reply;
  const find = (_: string, pattern: string): string =>
    [...request.matchAll(new RegExp(pattern, "g"))].at(-1)?.[1] ?? `nothing like ${pattern}`;
  const fill = (_: string, value: unknown): unknown => {
    if (typeof value !== "string") return value;
    const [, pattern] = /^\{\{#(.+)\}\}$/.exec(value) ?? [];
    return pattern ? Number(find("", pattern)) : value.replaceAll(/\{\{(.+?)\}\}/g, find);
  };
  return { ...reply, calls: JSON.parse(JSON.stringify(reply.calls), fill) };
}
