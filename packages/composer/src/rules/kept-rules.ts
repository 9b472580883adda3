import type { Rules } from "@agent-checkpoint/categories";

/** What configs came to before, for a program that starts anew for every event. */
export interface KeptRules {
  /** The rules that the same texts came to, the name of a preset and those of the configs; null where that is not known. */
  readonly find: (texts: readonly string[]) => Rules | null;
  readonly keep: (texts: readonly string[], rules: Rules) => void;
}
