import { shellQuote } from "./shell-quote.ts";

/** The one line that brings a checkpoint back, from any folder, by `sh -c`. */
export function restoreCommand(
  program: readonly string[],
  { id, root, store }: { readonly id: string; readonly root: string; readonly store: string | null },
): string {
  const words = [...program, "snapshot", "restore", id, "--root", root, ...(store === null ? [] : ["--store", store])];
  return words.map((word) => shellQuote(word)).join(" ");
}
