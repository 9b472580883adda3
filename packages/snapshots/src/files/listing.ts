import type { Changes } from "../git/read-changes.ts";
import type { BytePath } from "../paths/byte-path.ts";

/** The paths that a scope stands for. */
export interface Listing {
  /** In byte order, without repetition. */
  readonly paths: readonly BytePath[];
  /** Those that were named one by one: that they are absent is recorded, and that they cannot be read refuses the checkpoint. */
  readonly named: ReadonlySet<BytePath>;
  /** Those that git knows and that are gone: their absence is recorded too. */
  readonly deleted: ReadonlySet<BytePath>;
  /** Those inside a repository of its own. */
  readonly nested: ReadonlySet<BytePath>;
  /** Whether git is configured to skip some: to assume them unchanged, or to leave them out of the work tree. */
  readonly hasUnwatched: boolean;
  /** What git ignores in the listed folders; a folder stands for all that is in it. */
  readonly ignored: readonly BytePath[];
  readonly assumptions: readonly string[];
  readonly changes: Changes | null;
}
