import { join } from "node:path";
import { appendLine } from "./append-line.ts";
import { ensureOwnFolder } from "./ensure-own-folder.ts";
import { redact } from "./redact.ts";

/** Adds the line of an operation to `.audit/checkpoint-operations.log`; an audit that cannot be written is a warning. */
export function appendAudit(
  root: string,
  { now, command, exit }: { readonly now: Date; readonly command: string; readonly exit: number },
): string | null {
  try {
    const folder = ensureOwnFolder(root, ".audit");
    if (folder === null) return "`.audit` is no folder, so nothing was written to it.";
    const time = `${now.toISOString().slice(0, 19)}Z`;
    appendLine(
      join(folder, "checkpoint-operations.log"),
      `[CHECKPOINT] ${time} | Command: ${redact(command)} | Exit: ${exit}`,
    );
    return null;
  } catch (error) {
    return `The audit line could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
