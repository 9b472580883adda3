import type { Outcome } from "@agent-checkpoint/composer";

/** How an event ended, and whether a config had a part in it; false unless given. */
export interface Handled extends Outcome {
  readonly hasConfig?: boolean;
}
