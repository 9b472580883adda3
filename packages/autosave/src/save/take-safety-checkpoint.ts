import { existsSync } from "node:fs";
import { join } from "node:path";
import { createCheckpoint, type CheckpointReport } from "@agent-checkpoint/snapshots";
import type { WrittenFile } from "../ledger/session-writes.ts";
import type { SaveRequest } from "./save-request.ts";
import type { LeftOutReason } from "./select-files.ts";

/** The checkpoint that comes before everything else, and what it would not hold. */
export type SafetyResult =
  | {
      readonly ok: true;
      readonly id: string | null;
      readonly restoreCommand: string | null;
      readonly leftOut: Readonly<Record<string, LeftOutReason>>;
    }
  | { readonly ok: false; readonly detail: string };

const MOST_FILES = 2000;

/** Takes a safety checkpoint of the session's files and of the status document. */
export async function takeSafetyCheckpoint(
  { home, userHome, sessionId, percent }: SaveRequest,
  root: string,
  { written, document }: { readonly written: ReadonlyMap<string, WrittenFile>; readonly document: string },
): Promise<SafetyResult> {
  const named = [...new Set([...written.keys(), document, "buildguide.md"])];
  const files = named.filter((path) => existsSync(join(root, path))).slice(-MOST_FILES);
  if (files.length === 0) return { ok: true, id: null, restoreCommand: null, leftOut: {} };
  const result = await createCheckpoint(
    {
      scope: files.map((path) => join(root, path)),
      reason: `before saving a session's work${percent === null ? "" : ` at ${Math.round(percent)} % of its context`}`,
      checkpoint_type: "file_backup",
    },
    { cwd: root, root, home, userHome, session: sessionId, lockWaitMs: 5000 },
  );
  if (result.status === "created") {
    const { report } = result;
    return {
      ok: true,
      id: report.checkpoint?.id ?? null,
      restoreCommand: report.checkpoint?.restore_command ?? null,
      leftOut: leftOutOf(report),
    };
  }
  // Files that only hold secrets are never kept; that is no fault.
  if (result.code === "only-sensitive" || result.code === "nothing-captured" || result.code === "nothing-matched")
    return { ok: true, id: null, restoreCommand: null, leftOut: leftOutOf(result.report) };
  return { ok: false, detail: result.message };
}

function leftOutOf({ excluded, skipped }: CheckpointReport): Readonly<Record<string, LeftOutReason>> {
  return Object.fromEntries([
    ...excluded.map(({ path }) => [path, "secret"] as const),
    ...skipped.map(({ path }) => [path, "too_large"] as const),
  ]);
}
