import { realpathSync } from "node:fs";
import type { SafetyOptions } from "./context.ts";
import { appendAudit } from "./workspace/append-audit.ts";

/** The exit codes that the audit shows for each outcome: those of the program. */
const EXITS: Readonly<Record<string, number>> = { refused: 2, failed: 3, found: 1 };

/** Does something and writes its line into the audit; a call that is refused before it knows its root leaves nothing behind. */
export async function withAudit<T extends { readonly status: string }>(
  options: SafetyOptions,
  work: (setRoot: (root: string) => void) => Promise<T>,
): Promise<T> {
  let root: string | null = null;
  const result = await work((found) => (root = realpathSync(found)));
  if (root !== null && options.auditAs !== undefined) {
    appendAudit(root, {
      now: options.now?.() ?? new Date(),
      command: options.auditAs,
      exit: EXITS[result.status] ?? 0,
    });
  }
  return result;
}
