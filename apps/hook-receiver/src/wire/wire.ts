import type { HookEvent } from "../hook-event.ts";

/** A payload as it came from stdin. */
export type Payload = Readonly<Record<string, unknown>>;

/** An event, or why the payload is none. */
export type ParsedEvent =
  | { readonly ok: true; readonly event: HookEvent }
  | { readonly ok: false; readonly detail: string };

/** How one agent speaks to its hooks. */
export interface Wire {
  readonly parse: (payload: Payload, env: NodeJS.ProcessEnv) => ParsedEvent;
  /** The answer that blocks a stop; what was saved goes along as far as the agent's schema is known to take it. */
  readonly block: (message: string, extras?: AnswerExtras) => object;
  /** The answer that lets a stop go and tells the human something. */
  readonly tell: (extras: AnswerExtras) => object;
  /** The answer that keeps a tool from running. */
  readonly deny: (message: string) => object;
  /** The answer that lets the agent go on; null where it is silence. */
  readonly pass: object | null;
}

/** What an answer says beside its decision. */
export interface AnswerExtras {
  /** For the human. */
  readonly systemMessage: string;
  /** For programs that read what hooks answered. */
  readonly execution: object;
}
