import { existsSync } from "node:fs";
import { type Context, contextOf, type SafetyOptions } from "./context.ts";
import { isBadInput, type Trouble, troubleOf } from "./trouble.ts";
import { appendAudit } from "./workspace/write-mirror.ts";

/** The exit codes that the audit shows for each outcome: those of the program. */
const EXITS: Readonly<Record<string, number>> = { refused: 2, failed: 3, found: 1 };

/**
 * Does something in its place, gives a trouble as a value, and writes a line into the audit of the workspace.
 * Bad input leaves nothing behind, and so does looking where nothing was ever made: there is no line without a store.
 */
export async function withAudit<T extends { readonly status: string }>(
  options: SafetyOptions,
  work: (context: Context) => Promise<T>,
  exitOf: (result: T | Trouble) => number = exitOfStatus,
): Promise<T | Trouble> {
  let context: Context | null = null;
  let result: T | Trouble;
  try {
    context = await contextOf(options);
    result = await work(context);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    result = trouble;
  }
  if (context !== null) noteIn(context, options.auditAs, result, exitOf(result));
  return result;
}

/** The exit code of an outcome, if its status determines it. */
export function exitOfStatus({ status }: { readonly status: string }): number {
  return EXITS[status] ?? 0;
}

function noteIn(
  { place: { root, layout }, now }: Context,
  command: string | undefined,
  result: { readonly status: string },
  exit: number,
): void {
  if (command === undefined || isBadInput(result) || !existsSync(layout.folder)) return;
  appendAudit(root, { now: now(), command, exit });
}
