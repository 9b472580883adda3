import type { Change } from "../kinds/kind.ts";
import { describePath } from "../request/item-path.ts";

/** What a restore did to one path. */
export interface RevertedChange {
  readonly file: string;
  readonly operation: "create" | "modify" | "delete" | "mode" | "replace";
  readonly summary: string;
}

/** A change in words. */
export function describeChange({ from, to }: Change): RevertedChange {
  const isOfFiles = ![from.type, to.type].some((type) => type === "value" || type === "database");
  const file = describePath(to.path, { isOfFiles });
  const size = (bytes: number): string => `${bytes} bytes`;
  if (to.type === "absent") return { file, operation: "delete", summary: `removed (${from.type})` };
  if (from.type === "absent")
    return {
      file,
      operation: "create",
      summary: to.type === "file" ? `brought back, ${size(to.size)}` : `brought back (${to.type})`,
    };
  if (from.type !== to.type) return { file, operation: "replace", summary: `a ${from.type} gave way to a ${to.type}` };
  if (from.oid === to.oid)
    return { file, operation: "mode", summary: `permissions ${octal(from.mode)} → ${octal(to.mode)}` };
  return { file, operation: "modify", summary: `${size(from.size)} → ${size(to.size)}` };
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
