/** Whether a change needs a snapshot first, and how long those are kept that nobody asked for. */
export interface SafetyRules {
  readonly gate: boolean;
  /** How old the snapshot may be. */
  readonly freshMinutes: number;
  /** After how many days a snapshot expires that nobody asked for: before a restore, and before work is saved. */
  readonly keepDays: number;
}

/** What holds without a config. */
export const SAFETY_DEFAULTS: SafetyRules = { gate: false, freshMinutes: 30, keepDays: 30 };
