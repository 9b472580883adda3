/** What is known of the repository at a checkpoint. */
export interface GitFacts {
  /** The commit that HEAD stood at; null before the first one. */
  readonly head: string | null;
  readonly branch: string | null;
  /** A merge, rebase or the like under way. */
  readonly operation: string | null;
}
