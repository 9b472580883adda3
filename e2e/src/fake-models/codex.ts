import { eventStream, jsonAnswer, type ApiRequest, type FakeModel, type HttpAnswer } from "./fake-model.ts";
import { messageText } from "./message-text.ts";
import type { ModelCall, ModelReply } from "./model-script.ts";

/** OpenAI's Responses API. */
export const codexModel: FakeModel = {
  classify(request) {
    if (request.method !== "POST" || !request.url.startsWith("/v1/responses"))
      return { kind: "side", answer: jsonAnswer({ models: [] }) };
    const { input = [] } = request.body as ResponsesRequest;
    // A sub-agent is given its task as a message of another agent.
    const userTexts = input
      .filter(({ role, type }) => role === "user" || type === "agent_message")
      .map(({ content }) => messageText(content));
    // The interactive screen has a hidden thread name the session.
    const isTitle = userTexts.some((text) => text.includes("Generate a concise, single-line task title"));
    return isTitle
      ? { kind: "side", answer: stream({ say: JSON.stringify({ title: "Work" }) }, 0) }
      : { kind: "turn", userTexts };
  },
  answer(_request: ApiRequest, reply: ModelReply, turn: number): HttpAnswer {
    if (reply.error) return jsonAnswer({ error: { message: reply.error.message } }, reply.error.status);
    return stream(reply, turn);
  },
};

interface ResponsesRequest {
  readonly input?: readonly { readonly type?: string; readonly role?: string; readonly content?: unknown }[];
}

function stream(reply: ModelReply, turn: number): HttpAnswer {
  const id = `resp_${String(turn).padStart(24, "0")}`;
  const input_tokens = reply.inputTokens ?? 100 * (turn + 1);
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + 10,
  };
  return eventStream(
    [
      { type: "response.created", response: { id } },
      ...items(reply, turn).map((item, output_index) => ({ type: "response.output_item.done", output_index, item })),
      { type: "response.completed", response: { id, usage } },
    ].map((data) => ({ name: data.type, data })),
  );
}

function items(reply: ModelReply, turn: number): readonly unknown[] {
  const number = String(turn).padStart(24, "0");
  return [
    ...(reply.think
      ? [{ type: "reasoning", id: `rs_${number}`, summary: [{ type: "summary_text", text: reply.think }] }]
      : []),
    ...(reply.say === undefined
      ? []
      : [
          {
            type: "message",
            id: `msg_${number}`,
            role: "assistant",
            content: [{ type: "output_text", text: reply.say }],
          },
        ]),
    ...(reply.calls ?? []).map((call, index) => callItem(call, String(turn * 100 + index).padStart(24, "0"))),
  ];
}

/** A tool that is written `namespace.name` belongs to a group of tools. */
function callItem({ tool, input }: ModelCall, number: string): unknown {
  const [name, namespace] = tool.split(".").toReversed();
  const call = { call_id: `call_${number}`, name, ...(namespace && { namespace }) };
  return typeof input === "string"
    ? { type: "custom_tool_call", id: `ctc_${number}`, ...call, input }
    : { type: "function_call", id: `fc_${number}`, ...call, arguments: JSON.stringify(input) };
}
