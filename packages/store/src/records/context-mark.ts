import { isRecord, parseJson } from "./parse-json.ts";

/** That a session's work was saved, or was to be, because its context had filled up. */
export interface ContextMark {
  readonly at: Date;
  /** Whether the context has been emptier since, so that the next crossing counts again. */
  readonly isArmed: boolean;
  /** Whether it failed, so that it is worth another try. */
  readonly hasFailed: boolean;
}

/** A mark as the column holds it. */
export function contextMarkToJson({ at, isArmed, hasFailed }: ContextMark): string {
  return JSON.stringify({ at: at.getTime(), isArmed, hasFailed });
}

/** The mark in a column; null where somebody has spoiled it. */
export function parseContextMark(text: string): ContextMark | null {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value["at"] !== "number") return null;
  return { at: new Date(value["at"]), isArmed: value["isArmed"] === true, hasFailed: value["hasFailed"] === true };
}
