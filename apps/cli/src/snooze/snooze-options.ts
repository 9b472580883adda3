import type { SessionChoice } from "../sessions/find-session.ts";

/** What may be said beside the time. */
export interface SnoozeOptions extends SessionChoice {
  readonly reason?: string;
  readonly off?: true;
  readonly force?: true;
  readonly json?: true;
}
