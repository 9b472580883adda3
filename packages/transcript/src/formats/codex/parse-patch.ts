import type { ToolKind } from "../../types.ts";

/** What a patch in Codex's own format does. */
export interface Patch {
  readonly kind: Extract<ToolKind, "edit" | "write">;
  readonly files: readonly string[];
}

const BEGIN = "*** Begin Patch";
const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;

/** Reads the headers of a patch wherever it stands in a text, or null where there is none. */
export const parsePatch = (text: string): Patch | null => {
  const begin = text.indexOf(BEGIN);
  if (begin === -1) return null;
  const headers = [...text.slice(begin).matchAll(HEADER)];
  const files = headers.map(([, , file = ""]) => file.trim());
  return { kind: headers.every(([, action]) => action === "Add File") ? "write" : "edit", files: [...new Set(files)] };
};

/** Whether a command line runs `apply_patch`, which Codex takes out of the shell's hands. */
export const runsApplyPatch = (command: string): boolean =>
  // A line break begins a command of its own: taken for a space too, it would be looked at from every one before it.
  /(?:^|&&|;|\n)[^\S\n]*(?:apply_patch|applypatch)\b/.test(command) && command.includes(BEGIN);
