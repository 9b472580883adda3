import type { AgentName } from "@agent-checkpoint/transcript";
import { isRecord, parseJson } from "./parse-json.ts";
import type { Route } from "./route.ts";
import type { StopTrail } from "./stop-trail.ts";

/** One stop of an agent and what became of it. */
export interface Stop {
  readonly agent: AgentName;
  /** Empty where the event named no session. */
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly turn: string | null;
  readonly at: Date;
  readonly decision: "block" | "pass";
  /** Why it was blocked or passed, in kebab-case. */
  readonly reason: string;
  /** The ids of the actions asked for. */
  readonly actions: readonly string[];
  /** What the checks found; in a block the agent has read it. */
  readonly observations: readonly StopObservation[];
  readonly durationMs: number;
  /** How many characters the message had that was sent; null for a stop without one. */
  readonly messageLength?: number | null | undefined;
  /** The way the message took, or would have taken; the hook unless given. */
  readonly route?: Route | undefined;
  /** Whether the stop was made up to see that the hook works; false unless given. */
  readonly isCanary?: boolean | undefined;
  /** What it was judged on; null unless given, and for a stop that came by the journal. */
  readonly trail?: StopTrail | null | undefined;
  /** What came of saving the session's work at this stop; absent where that was not tried. */
  readonly save?: string | null | undefined;
}

/** A stop as it is in the store. */
export interface StoredStop extends Stop {
  /** Its number, by which a person can name it. */
  readonly id: number;
  readonly route: Route;
  readonly isCanary: boolean;
  readonly trail: StopTrail | null;
  readonly messageLength: number | null;
}

/** What a check found at a stop, in one sentence. */
export interface StopObservation {
  /** The check's id. */
  readonly check: string;
  readonly text: string;
  /** Whether it is a reason to block by itself. */
  readonly isFailure: boolean;
}

/** Observations as the column holds them: those fields and no others. */
export function observationsToJson(observations: readonly StopObservation[]): string {
  return JSON.stringify(observations.map(({ check, text, isFailure }) => ({ check, text, isFailure })));
}

/** The observations in a column; a malformed one is left out. */
export function parseObservations(text: string): StopObservation[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { check, text: sentence, isFailure } = item;
    if (typeof check !== "string" || typeof sentence !== "string") return [];
    return [{ check, text: sentence, isFailure: isFailure === true }];
  });
}
