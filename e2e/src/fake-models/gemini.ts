import { eventStream, jsonAnswer, type ApiRequest, type FakeModel, type HttpAnswer } from "./fake-model.ts";
import { messageText } from "./message-text.ts";
import type { ModelReply } from "./model-script.ts";

/** Google's Generative Language API. */
export const geminiModel: FakeModel = {
  classify(request) {
    const body = request.body as GenerateRequest;
    if (request.url.includes(":countTokens")) return { kind: "side", answer: jsonAnswer({ totalTokens: 100 }) };
    const config = body.generationConfig;
    const schema = config?.responseJsonSchema ?? config?.responseSchema;
    if (schema) return { kind: "side", answer: jsonAnswer(candidate([{ text: JSON.stringify(fill(schema)) }], 100)) };
    if (!request.url.includes("enerateContent")) return { kind: "side", answer: jsonAnswer({}) };
    const userTexts = (body.contents ?? [])
      .filter(({ role }) => role === "user")
      .map(({ parts }) => messageText(parts));
    return { kind: "turn", userTexts };
  },
  answer(request: ApiRequest, reply: ModelReply, turn: number): HttpAnswer {
    if (reply.error) {
      const { status, message } = reply.error;
      return jsonAnswer({ error: { code: status, message, status: "INVALID_ARGUMENT" } }, status);
    }
    const whole = candidate(parts(reply), reply.inputTokens ?? 100 * turn);
    return request.url.includes(":stream") ? eventStream([{ data: whole }]) : jsonAnswer(whole);
  },
};

interface GenerateRequest {
  readonly contents?: readonly { readonly role: string; readonly parts?: readonly Part[] }[];
  readonly generationConfig?: { readonly responseJsonSchema?: Schema; readonly responseSchema?: Schema };
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly name: string; readonly args: unknown };
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

function parts(reply: ModelReply): readonly Part[] {
  return [
    ...(reply.think ? [{ text: reply.think, thought: true }] : []),
    ...(reply.say === undefined ? [] : [{ text: reply.say }]),
    ...(reply.calls ?? []).map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
  ];
}

function candidate(parts: readonly Part[], promptTokenCount: number): unknown {
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount, candidatesTokenCount: 10, totalTokenCount: promptTokenCount + 10 },
  };
}

/** The dullest value that a JSON schema allows, for the CLI's own small questions. */
function fill(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  switch (schema.type?.toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, fill(value)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 0;
    default:
      return "";
  }
}
