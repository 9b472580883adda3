/** Whether a change needs a snapshot first. */
export interface SafetyRules {
  readonly gate: boolean;
  /** How old the snapshot may be. */
  readonly freshMinutes: number;
}

/** What holds without a config. */
export const SAFETY_DEFAULTS: SafetyRules = { gate: false, freshMinutes: 30 };
