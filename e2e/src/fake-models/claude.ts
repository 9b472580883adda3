import { eventStream, jsonAnswer, type ApiRequest, type FakeModel, type HttpAnswer } from "./fake-model.ts";
import { messageText } from "./message-text.ts";
import type { ModelReply } from "./model-script.ts";

/** Anthropic's Messages API. */
export const claudeModel: FakeModel = {
  classify(request) {
    const body = request.body as MessagesRequest;
    if (request.method !== "POST") return { kind: "side", answer: jsonAnswer({}) };
    if (request.url.includes("/count_tokens")) return { kind: "side", answer: jsonAnswer({ input_tokens: 100 }) };
    if (!request.url.startsWith("/v1/messages")) return { kind: "side", answer: jsonAnswer({}) };
    const userTexts = (body.messages ?? [])
      .filter(({ role }) => role === "user")
      .map(({ content }) => messageText(content));
    const last = userTexts.at(-1) ?? "";
    // Some versions ask for titles without offering tools, warm agents up, or guess what will be typed next.
    const isSide = !body.tools?.length || last === "Warmup" || last.includes("[SUGGESTION MODE");
    return isSide ? { kind: "side", answer: message(body, { say: "ok" }, 0) } : { kind: "turn", userTexts };
  },
  answer(request: ApiRequest, reply: ModelReply, turn: number): HttpAnswer {
    if (reply.error) {
      const error = { type: "api_error", message: reply.error.message };
      return jsonAnswer({ type: "error", error }, reply.error.status);
    }
    return message(request.body as MessagesRequest, reply, turn);
  },
};

interface MessagesRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

type Block =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function message(request: MessagesRequest, reply: ModelReply, turn: number): HttpAnswer {
  const content = blocks(reply, turn);
  const usage = {
    input_tokens: reply.inputTokens ?? 100 * (turn + 1),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 10,
  };
  const whole = {
    id: `msg_${String(turn).padStart(24, "0")}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: reply.calls ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage,
  };
  if (!request.stream) return jsonAnswer(whole);
  return eventStream(
    [
      { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
      ...content.flatMap(blockEvents),
      { type: "message_delta", delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ].map((data) => ({ name: data.type, data })),
  );
}

function blocks(reply: ModelReply, turn: number): readonly Block[] {
  const calls = (reply.calls ?? []).map(({ tool, input }, index): Block => {
    const id = `toolu_${String(turn * 100 + index).padStart(24, "0")}`;
    return { type: "tool_use", id, name: tool, input };
  });
  return [
    ...(reply.think ? [{ type: "thinking", thinking: reply.think, signature: "c2lnbmVk" } as const] : []),
    ...(reply.say === undefined ? [] : [{ type: "text", text: reply.say } as const]),
    ...calls,
  ];
}

function blockEvents(block: Block, index: number): readonly StreamEvent[] {
  const { empty, deltas } = stages(block);
  return [
    { type: "content_block_start", index, content_block: empty },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** A block as it begins, and what is then added to it. */
function stages(block: Block): { readonly empty: unknown; readonly deltas: readonly unknown[] } {
  if (block.type === "thinking")
    return {
      empty: { ...block, thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking: block.thinking },
        { type: "signature_delta", signature: block.signature },
      ],
    };
  if (block.type === "text")
    return { empty: { ...block, text: "" }, deltas: [{ type: "text_delta", text: block.text }] };
  const partial_json = JSON.stringify(block.input);
  return { empty: { ...block, input: {} }, deltas: [{ type: "input_json_delta", partial_json }] };
}
