import type { Omission } from "../manifest/manifest.ts";
import { SafetyError } from "../trouble.ts";

/** A scope of which nothing could be captured, with what was left out and why. */
export class NothingCaptured extends SafetyError {
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];

  constructor({
    excluded,
    skipped,
  }: {
    readonly excluded: readonly Omission[];
    readonly skipped: readonly Omission[];
  }) {
    if (excluded.length > 0 && skipped.length === 0) {
      super(
        "only-sensitive",
        `Only sensitive files are in scope: ${named(excluded)}.`,
        "They are never captured. Keep a copy of your own, or name other files.",
      );
    } else if (excluded.length + skipped.length > 0) {
      super(
        "nothing-captured",
        `Nothing in scope can be captured: ${named([...excluded, ...skipped])}.`,
        "Narrow the scope, or raise the limits.",
      );
    } else
      super(
        "nothing-matched",
        "There is no file in scope.",
        "Name a folder that has files, or the file that is yet to be made.",
      );
    this.excluded = excluded;
    this.skipped = skipped;
  }
}

function named(omissions: readonly Omission[]): string {
  const shown = omissions.slice(0, 5).map(({ path, reason }) => `${JSON.stringify(path)} (${reason})`);
  return [...shown, ...(omissions.length > 5 ? [`and ${omissions.length - 5} more`] : [])].join(", ");
}
