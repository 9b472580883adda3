import type { Reporter } from "@agent-checkpoint/handoff";

/** What the calls work with: a project, a clock and a log. */
export interface Project {
  /** The root of the project. */
  readonly root: string;
  readonly now: Date;
  readonly reporter: Reporter;
  /** How long to wait for another process that saves. */
  readonly lockTimeoutMs: number;
}
