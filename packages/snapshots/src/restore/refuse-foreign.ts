import { encodePath } from "../paths/byte-path.ts";
import { SafetyError } from "../trouble.ts";
import type { Foreign } from "./find-foreign.ts";
import type { ForeignChange } from "./foreign-changes.ts";

/** Refuses a restore over what somebody else has changed. */
export function refuseForeign({ changes }: Foreign): void {
  if (changes.length === 0) return;
  throw new SafetyError(
    "changed-by-others",
    `${sayForeign(changes)}.`,
    "Restore the others with --scope, or give --force: what is there now is kept in a checkpoint either way.",
  );
}

/** What somebody else has changed, in words. */
export function sayForeign(changes: readonly ForeignChange[]): string {
  const shown = changes.slice(0, MOST_SHOWN).map(({ path, why }) => `\`${encodePath(path)}\` (${why})`);
  const more = changes.length > MOST_SHOWN ? ` and ${changes.length - MOST_SHOWN} more` : "";
  return `Somebody else has changed ${changes.length} of the files: ${shown.join(", ")}${more}`;
}

const MOST_SHOWN = 5;
