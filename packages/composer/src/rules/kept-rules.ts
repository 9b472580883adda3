import type { Rules } from "@agent-checkpoint/categories";

/** What configs came to before, for a program that starts anew for every event. */
export interface KeptRules {
  /** The rules that the same configs came to; null where that is not known. */
  readonly find: (configs: string) => Rules | null;
  readonly keep: (configs: string, rules: Rules) => void;
}
