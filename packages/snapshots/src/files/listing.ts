import type { Changes } from "../git/read-changes.ts";
import type { Omission } from "../manifest/manifest.ts";
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
  /** Repositories inside, with files in them or not: git looks into them by rules of its own. */
  readonly repositories: readonly BytePath[];
  /** Those that git does not look at, because somebody told it so: assumed unchanged, or left out of the work tree. */
  readonly unwatched: ReadonlySet<BytePath>;
  readonly skipped: readonly Omission[];
  readonly assumptions: readonly string[];
  readonly changes: Changes | null;
}
