import type { Manifest } from "../manifest/manifest.ts";

/** How a checkpoint stands: expiry only marks it, nothing is deleted by time. */
export type CheckpointStatus = "ready" | "expired" | "damaged";

/** Whether a checkpoint has expired. */
export function isExpired({ expiresAt }: Manifest, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now;
}
