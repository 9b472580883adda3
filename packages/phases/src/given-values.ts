import type { BaseIssue, IssuePathItem } from "valibot";
import { CheckpointError } from "./report.ts";

/** A value as JSON would carry it: a copy that shares nothing with the caller's, without anything but data. */
export function plainCopy(value: unknown, what: string): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : "it cannot be written";
    throw new CheckpointError("invalid", `${what} is not JSON: ${why}`);
  }
}

/** Far more levels than anything that is exchanged has. */
export const MAX_LEVELS = 100;

/** Whether a value is nested so deeply that walking or writing it may overflow the stack. */
export function isTooDeep(value: unknown, levels: number = MAX_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

/** What a schema found wrong, a sentence for each: where, what was expected and what was found. */
export function describeIssues(issues: readonly BaseIssue<unknown>[]): string[] {
  return issues.map((issue) => {
    const expected = issue.message.startsWith("expected ")
      ? issue.message
      : `expected ${issue.expected ?? "another value"}`;
    const found = issue.path ? issue.path.at(-1)?.value : issue.input;
    return `${keyOf(issue.path ?? [])}${expected}, found ${show(found)}`;
  });
}

function keyOf(path: readonly IssuePathItem[]): string {
  const key = path.map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return key === "" ? "" : `\`${shorten(key.replace(/^\./, ""))}\`: `;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value) ?? typeof value);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
