import { renameSync } from "node:fs";
import { basename } from "node:path";
import { withLockSync } from "@agent-checkpoint/files";
import { CheckpointError } from "@agent-checkpoint/handoff";

/** After this time the lock of a process that cannot be asked for is free; a save takes milliseconds. */
const STALE_AFTER_MS = 60_000;

/** Does the work while no other process does such work on the same document; `assertHeld` throws if the lock was lost. */
export function withDocumentLock<Value>(
  path: string,
  timeoutMs: number,
  work: (lock: { readonly assertHeld: () => void }) => Value,
): Value {
  const folder = `${path}.lock`;
  const result = withLockSync(folder, { waitMs: timeoutMs, staleAfterMs: STALE_AFTER_MS }, ({ isHeld }) =>
    work({
      assertHeld: () => {
        if (!isHeld()) throw new CheckpointError("locked", `${basename(folder)} was taken by another process`);
      },
    }),
  );
  if (!result.ok) throw new CheckpointError("locked", `${result.detail}: try again later`);
  return result.value;
}

/** Gives a file that holds no checkpoint another name, and says which. */
export function keepAside(path: string, now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const aside = `${path}.corrupt-${time}-${Math.random().toString(36).slice(2, 8)}`;
  renameSync(path, aside);
  return basename(aside);
}
