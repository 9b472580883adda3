import type { BigIntStats } from "node:fs";

/** What the disk says of a file without reading it; a file that was written to has another one. */
export function signatureOf({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`;
}

/**
 * Whether a file was touched so short a time before a moment that a later write might leave its times as they are:
 * clocks of file systems tick slowly.
 */
export function isRacy({ mtimeNs, ctimeNs }: BigIntStats, momentNs: bigint): boolean {
  return mtimeNs >= momentNs - TICK || ctimeNs >= momentNs - TICK;
}

const TICK = 50_000_000n;
