import { redactJson } from "@agent-checkpoint/redaction";
import type { Prompt } from "../tables/sessions.ts";
import type { Route } from "../tables/sessions.ts";
import { parseJson } from "../tables/json-columns.ts";
import { trailToJson } from "../tables/stops.ts";
import type { Stop } from "../tables/stops.ts";
import { uniqueId } from "./unique-id.ts";

/** A stop as the journal holds it: with an id of its own, its time in milliseconds, and its trail as the database has it. */
export interface JournaledStop extends Omit<Stop, "at" | "route" | "isCanary" | "trail"> {
  readonly id: string;
  readonly at: number;
  readonly route: Route;
  readonly isCanary: boolean;
  readonly trail?: unknown;
}

/** A prompt as the journal holds it. */
export interface JournaledPrompt extends Omit<Prompt, "at"> {
  readonly type: "prompt";
  readonly at: number;
}

/** A stop as one line of JSON, without secrets. */
export function stopLine(stop: Stop): string {
  const { at, route = "hook", isCanary = false, trail, ...rest } = stop;
  const kept = trail == null ? {} : { trail: parseJson(trailToJson(trail)) };
  const line: JournaledStop = { ...rest, id: uniqueId(), at: at.getTime(), route, isCanary, ...kept };
  return JSON.stringify(redactJson(line));
}

/** A prompt as one line of JSON, without secrets. */
export function promptLine(prompt: Prompt): string {
  const line: JournaledPrompt = { type: "prompt", ...prompt, at: prompt.at.getTime() };
  return JSON.stringify(redactJson(line));
}

/** What a line of the journal holds; null for a torn or foreign line. */
export function parseJournalLine(line: string): JournaledStop | JournaledPrompt | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return null;
    const fields = new Map(Object.entries(value));
    if (!fields.has("type")) return holds(fields, STOP_FIELDS) ? (value as JournaledStop) : null;
    return holds(fields, PROMPT_FIELDS) ? (value as JournaledPrompt) : null;
  } catch {
    return null;
  }
}

type Check = (value: unknown) => boolean;
const isString: Check = (value) => typeof value === "string";
const isStringOrNull: Check = (value) => value === null || typeof value === "string";
const isStrings: Check = (value) => Array.isArray(value) && value.every(isString);
const isTime: Check = (value) => typeof value === "number" && new Date(value).getTime() === value;

/** Any agent's name will do: another version of the program may know more of them. */
const STOP_FIELDS: Readonly<Record<keyof JournaledStop, Check>> = {
  id: isString,
  agent: isString,
  sessionId: isString,
  projectPath: isStringOrNull,
  turn: isStringOrNull,
  at: isTime,
  decision: (value) => value === "block" || value === "pass",
  reason: isString,
  actions: isStrings,
  observations: (value) => Array.isArray(value),
  durationMs: (value) => typeof value === "number" && Number.isSafeInteger(Math.round(value)),
  route: isString,
  isCanary: (value) => typeof value === "boolean",
  messageLength: (value) => value === undefined || value === null || typeof value === "number",
  save: (value) => value === undefined || isStringOrNull(value),
  trail: () => true,
};

const PROMPT_FIELDS: Readonly<Record<keyof JournaledPrompt, Check>> = {
  type: (value) => value === "prompt",
  agent: isString,
  sessionId: isString,
  projectPath: isStringOrNull,
  transcriptPath: isStringOrNull,
  turn: isStringOrNull,
  at: isTime,
  baseline: (value) =>
    value === undefined ||
    (typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isString)),
};

function holds(fields: ReadonlyMap<string, unknown>, checks: Readonly<Record<string, Check>>): boolean {
  return Object.entries(checks).every(([name, check]) => check(fields.get(name)));
}
