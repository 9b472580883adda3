/** Whether a change needs a snapshot first, and how long automatic snapshots are kept. */
export interface SafetyRules {
  readonly gate: boolean;
  /** How old the snapshot may be. */
  readonly freshMinutes: number;
  /** After how many days an automatic snapshot expires: one before a restore, before a save, or beside a stop. */
  readonly keepDays: number;
  /** Beside which stops a snapshot of the work tree is taken. */
  readonly snapshot: (typeof SNAPSHOT_MODES)[number];
}

/** Beside which stops a snapshot may be taken. */
export const SNAPSHOT_MODES = ["blocked", "every-stop", "off"] as const;

/** What holds without a config. */
export const SAFETY_DEFAULTS: SafetyRules = { gate: false, freshMinutes: 30, keepDays: 30, snapshot: "off" };
