import type { Counts } from "../manifest/manifest.ts";

/** One line on what a checkpoint holds. */
export function summarise({ files, bytes, uncommitted }: Counts): string {
  const parts = [
    count(files, "file"),
    `${bytes} bytes`,
    uncommitted === null ? null : count(uncommitted, "uncommitted change"),
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** A number of things in words. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
