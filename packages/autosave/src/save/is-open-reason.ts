import type { LeftOutReason } from "./select-files.ts";

/** What git does not see is no work that waits for a commit. */
export function isOpenReason(reason: LeftOutReason): boolean {
  return reason !== "ignored" && reason !== "nested_repository" && reason !== "link";
}
