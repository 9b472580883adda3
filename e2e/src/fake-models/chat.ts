import { eventStream, jsonAnswer, type ApiRequest, type FakeModel, type HttpAnswer } from "./fake-model.ts";
import { messageText } from "./message-text.ts";
import type { ModelReply } from "./model-script.ts";

/** OpenAI's chat completions, which agents with a model of one's choice speak. */
export const chatModel: FakeModel = {
  classify(request) {
    const body = request.body as ChatRequest;
    if (!request.url.endsWith("/chat/completions")) return { kind: "side", answer: jsonAnswer({ data: [] }) };
    const userTexts = (body.messages ?? [])
      .filter(({ role }) => role === "user")
      .map(({ content }) => messageText(content));
    // Some ask for titles without offering tools; Qwen Code keeps a memory after a turn, and guesses what will be typed next.
    const isSide = !body.tools?.length || SIDE_WORDS.test(userTexts.at(-1) ?? "");
    return isSide ? { kind: "side", answer: completion(body, { say: "ok" }, 0) } : { kind: "turn", userTexts };
  },
  answer(request: ApiRequest, reply: ModelReply, turn: number): HttpAnswer {
    if (reply.error)
      return jsonAnswer({ error: { message: reply.error.message, type: "invalid_request_error" } }, reply.error.status);
    return completion(request.body as ChatRequest, reply, turn);
  },
};

const SIDE_WORDS = /Managed memory has TWO directories|Reply with ONLY the suggestion/;

interface ChatRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

function completion({ model, stream }: ChatRequest, reply: ModelReply, turn: number): HttpAnswer {
  const calls = (reply.calls ?? []).map(({ tool, input }, index) => ({
    index,
    id: `call_${String(turn * 100 + index).padStart(24, "0")}`,
    type: "function",
    function: { name: tool, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
  const message = {
    role: "assistant",
    content: reply.say ?? "",
    ...(reply.think && { reasoning_content: reply.think }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const prompt_tokens = reply.inputTokens ?? 100 * (turn + 1);
  const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 };
  const head = { id: `chatcmpl-${turn}`, created: 1, model };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  if (stream !== true)
    return jsonAnswer({ ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage });
  const chunk = (delta: object, more: object = {}) => ({
    data: { ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null, ...more }] },
  });
  const last = { data: { ...head, object: "chat.completion.chunk", choices: [], usage } };
  const streamed = eventStream([chunk(message), chunk({}, { finish_reason }), last]);
  return { ...streamed, body: `${streamed.body}data: [DONE]\n\n` };
}
