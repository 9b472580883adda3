import { join } from "node:path";
import { appendLine } from "@agent-checkpoint/files";
import { ensureOwnFolder } from "./ensure-own-folder.ts";
import { redactLine } from "@agent-checkpoint/redaction";

/** Adds the line of an operation to `.audit/checkpoint-operations.log`; an audit that cannot be written is a warning. */
export function appendAudit(
  root: string,
  { now, command, exit }: { readonly now: Date; readonly command: string; readonly exit: number },
): string | null {
  try {
    const folder = ensureOwnFolder(root, ".audit");
    if (folder === null) return "`.audit` is not a folder, so nothing was written to it.";
    const time = `${now.toISOString().slice(0, 19)}Z`;
    appendLine(
      join(folder, "checkpoint-operations.log"),
      `[CHECKPOINT] ${time} | Command: ${redactLine(command)} | Exit: ${exit}\n`,
    );
    return null;
  } catch (error) {
    return `The audit line could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
