import type { Language } from "./languages.ts";
import type { RunnerId } from "./runners.ts";

/** The result of one run of a test runner, as it reports it. */
export interface TestReport {
  readonly runner: RunnerId;
  /** Languages of the code that was tested; empty for any language. */
  readonly languages: readonly Language[];
  /** Tests, or the packages, suites or tasks that the runner counts instead; null if it does not say how many. */
  readonly passed: number | null;
  readonly failed: number | null;
  readonly skipped: number | null;
  readonly filtered: number | null;
  readonly outcome: "green" | "red" | "nothing-run";
  /** Packages, crates, files or folders that the report names. */
  readonly places: readonly string[];
  /**
   * Whether the line that closes the whole run was seen.
   *
   * Runners such as `go test` and `cargo test` have no such line: their report is complete only if no filter removed lines.
   */
  readonly isComplete: boolean;
}
