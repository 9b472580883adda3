import type { ModelReply } from "./model-script.ts";

/** What a request to the model's API is: a turn of a conversation, something on the side with a ready answer, or unknown. */
export type RequestKind =
  | { readonly kind: "turn"; readonly userTexts: readonly string[] }
  | { readonly kind: "side"; readonly answer: HttpAnswer };

/** A whole HTTP answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** One vendor's model API, as far as its CLI uses it. */
export interface FakeModel {
  readonly classify: (request: ApiRequest) => RequestKind;
  /** Writes an answer the way the vendor's API would; `turn` counts the answers given so far and makes ids unique. */
  readonly answer: (request: ApiRequest, reply: ModelReply, turn: number) => HttpAnswer;
}

/** A request as it reached the fake model. */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** A JSON answer. */
export function jsonAnswer(value: unknown, status = 200): HttpAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

/** A stream of server-sent events; events with a name get an `event:` line. */
export function eventStream(events: readonly { readonly name?: string; readonly data: unknown }[]): HttpAnswer {
  const body = events.map(({ name, data }) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
  return { status: 200, contentType: "text/event-stream", body: body.join("") };
}
