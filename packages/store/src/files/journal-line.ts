import { redactJson } from "@agent-checkpoint/redaction";
import type { Stop } from "../records/stop.ts";
import type { Route } from "../records/route.ts";
import { uniqueId } from "./unique-id.ts";

/** A stop as the journal holds it: with an id of its own, its time in milliseconds, and no trail: nothing was looked at. */
export interface JournaledStop extends Omit<Stop, "at" | "route" | "isCanary" | "trail"> {
  readonly id: string;
  readonly at: number;
  readonly route: Route;
  readonly isCanary: boolean;
}

/** A stop as one line of JSON, without secrets. */
export function journalLine(stop: Stop): string {
  const { at, route = "hook", isCanary = false, trail: _, ...rest } = stop;
  const line: JournaledStop = { ...rest, id: uniqueId(), at: at.getTime(), route, isCanary };
  return JSON.stringify(redactJson(line));
}

/** The stop a line of the journal holds; null for a torn or foreign line. */
export function parseJournalLine(line: string): JournaledStop | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJournaledStop(value) ? value : null;
  } catch {
    return null;
  }
}

type Check = (value: unknown) => boolean;
const isString: Check = (value) => typeof value === "string";
const isStringOrNull: Check = (value) => value === null || typeof value === "string";
const isStrings: Check = (value) => Array.isArray(value) && value.every(isString);

/** Any agent's name will do: another version of the program may know more of them. */
const FIELDS: Readonly<Record<keyof JournaledStop, Check>> = {
  id: isString,
  agent: isString,
  sessionId: isString,
  projectPath: isStringOrNull,
  turn: isStringOrNull,
  at: (value) => typeof value === "number" && new Date(value).getTime() === value,
  decision: (value) => value === "block" || value === "pass",
  reason: isString,
  actions: isStrings,
  observations: isStrings,
  durationMs: (value) => typeof value === "number" && Number.isSafeInteger(Math.round(value)),
  route: isString,
  isCanary: (value) => typeof value === "boolean",
  save: (value) => value === undefined || isStringOrNull(value),
};

function isJournaledStop(value: unknown): value is JournaledStop {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(FIELDS).every(([name, check]) => check(fields.get(name)));
}
