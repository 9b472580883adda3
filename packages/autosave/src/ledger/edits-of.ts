import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { findPatch } from "./apply-patch.ts";

/** What a call did to the text of one file, as far as its arguments tell. */
export type FileEdit =
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "replace"; readonly old: string; readonly now: string; readonly isEverywhere: boolean }
  | { readonly kind: "patch"; readonly patch: string }
  /** It changed the file in a way that only the file shows, as a shell command does. */
  | { readonly kind: "unknown" };

const UNKNOWN: readonly FileEdit[] = [{ kind: "unknown" }];

/** The edits that a call made to each file that it names, by the shape of its arguments; none where it failed. */
export function editsOf(record: ToolCallRecord): readonly FileEdit[] {
  if (record.kind === "shell" || record.hadError !== false) return record.hadError === true ? [] : UNKNOWN;
  for (const read of SHAPES) {
    const edits = read(record.inputData);
    if (edits !== null) return edits;
  }
  return UNKNOWN;
}

type Arguments = ToolCallRecord["inputData"];

/** The shapes that arguments of editing tools have, whatever the agent. */
const SHAPES: readonly ((given: Arguments) => readonly FileEdit[] | null)[] = [
  ({ edits }) => (Array.isArray(edits) ? edits.map(replacement) : null),
  (given) => (typeof given["old_string"] === "string" ? [replacement(given)] : null),
  ({ content, cell_id }) =>
    typeof content === "string" && cell_id === undefined ? [{ kind: "write", text: content }] : null,
  (given) => patchIn([given["input"], given["patch"], given["cmd"], given["command"]].flat()),
];

function replacement(given: unknown): FileEdit {
  const { old_string: old, new_string: now, ...how } = (given ?? {}) as Arguments;
  if (typeof old !== "string" || typeof now !== "string") return { kind: "unknown" };
  const expected = how["expected_replacements"];
  const isEverywhere =
    how["replace_all"] === true || how["allow_multiple"] === true || (typeof expected === "number" && expected > 1);
  // A file is made by replacing nothing.
  return old === "" ? { kind: "write", text: now } : { kind: "replace", old, now, isEverywhere };
}

function patchIn(texts: readonly unknown[]): readonly FileEdit[] | null {
  for (const text of texts) {
    const patch = typeof text === "string" ? findPatch(text) : null;
    if (patch !== null) return [{ kind: "patch", patch }];
  }
  return null;
}
