import { inlineCode, plainWords } from "@agent-checkpoint/heuristics";

const MAX_FILES = 3;

/** An action in one line: what it asks for, and the files it was asked for. */
export function exampleText(instruction: string, changedFiles: readonly string[]): string {
  if (changedFiles.length === 0) return plainWords(instruction);
  const shown = changedFiles.slice(0, MAX_FILES).map((file) => inlineCode(file, 60));
  const more = changedFiles.length - shown.length;
  return `${plainWords(instruction)}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
