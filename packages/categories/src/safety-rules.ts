/** Whether a change needs a checkpoint to go back to first. */
export interface SafetyRules {
  readonly gate: boolean;
  /** How old the checkpoint may be. */
  readonly freshMinutes: number;
}

/** What holds without a config. */
export const SAFETY_DEFAULTS: SafetyRules = { gate: false, freshMinutes: 30 };
