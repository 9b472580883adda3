import type { Place } from "@agent-checkpoint/composer";

/** Where and when a hook was called. */
export interface HookPlace extends Place {
  /** Whether the process ends right after the event. */
  readonly isLast: boolean;
}
