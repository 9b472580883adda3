import { existsSync } from "node:fs";
import type { SafetyOptions } from "./context.ts";
import type { Place } from "./place.ts";
import { isBadInput } from "./trouble.ts";
import { appendAudit } from "./workspace/append-audit.ts";

/** The exit codes that the audit shows for each outcome: those of the program. */
const EXITS: Readonly<Record<string, number>> = { refused: 2, failed: 3, found: 1 };

/**
 * Does something and writes its line into the audit of the workspace.
 * Bad input leaves nothing behind, and so does looking where nothing was ever made: there is no line without a store.
 */
export async function withAudit<T extends { readonly status: string }>(
  { auditAs, now = () => new Date() }: SafetyOptions,
  work: (setPlace: (place: Place) => void) => Promise<T>,
  exitOf: (result: T) => number = exitOfStatus,
): Promise<T> {
  let place: Place | null = null;
  const result = await work((found) => (place = found));
  if (place !== null && auditAs !== undefined && !isBadInput(result))
    noteIn(place, { now, auditAs, exit: exitOf(result) });
  return result;
}

/** The exit code of an outcome, where its status alone tells. */
export function exitOfStatus({ status }: { readonly status: string }): number {
  return EXITS[status] ?? 0;
}

function noteIn(
  { root, layout }: Place,
  { now, auditAs, exit }: { readonly now: () => Date; readonly auditAs: string; readonly exit: number },
): void {
  if (existsSync(layout.folder)) appendAudit(root, { now: now(), command: auditAs, exit });
}
