import type { BigIntStats } from "node:fs";

/** What the disk says of a file without reading it; a file that was written to has another one. */
export function signatureOf({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`;
}

/**
 * Whether a file was touched so short a time before a moment that a later write might leave its times as git sees them:
 * git compares seconds, clocks of file systems tick slowly, and some only every other second.
 */
export function isRacy({ mtimeNs, ctimeNs }: Pick<BigIntStats, "mtimeNs" | "ctimeNs">, momentNs: bigint): boolean {
  const second = momentNs - TICK - ((momentNs - TICK) % SECOND);
  return [mtimeNs, ctimeNs].some((time) => time >= (time % SECOND === 0n ? momentNs - 2n * SECOND : second));
}

const SECOND = 1_000_000_000n;
const TICK = 50_000_000n;
