import { listChangedFiles } from "@agent-checkpoint/composer";
import type { WrittenFile } from "../ledger/session-writes.ts";
import type { SaveRequest } from "./save-request.ts";
import { selectFiles, type SelectedFiles } from "./select-files.ts";

/** Sorts what git says is changed now; null where it does not say. */
export async function selectChanged(
  request: SaveRequest,
  root: string,
  { written, head }: { readonly written: ReadonlyMap<string, WrittenFile>; readonly head: string | null },
): Promise<SelectedFiles | null> {
  const changed = await listChangedFiles(root, { untracked: true, timeoutMs: 10_000 });
  if (changed.status === "unknown") return null;
  return selectFiles({ root, head, written, changed: changed.files, baseline: request.baseline });
}
