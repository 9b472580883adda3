import type { Language } from "./languages.ts";
import type { RunnerId } from "./runners.ts";

/** What one run of a test runner came to, by its own words. */
export interface TestReport {
  readonly runner: RunnerId;
  /** Languages of the code that was tested; none: any language. */
  readonly languages: readonly Language[];
  /** Tests, or the packages, suites or tasks that the runner counts instead; null: it does not say how many. */
  readonly passed: number | null;
  readonly failed: number | null;
  readonly skipped: number | null;
  readonly filtered: number | null;
  readonly outcome: "green" | "red" | "nothing-run";
  /** Packages, crates, files or folders that the report names. */
  readonly places: readonly string[];
  /**
   * The line that closes the whole run was seen.
   *
   * Runners such as `go test` and `cargo test` have no such line: their report is whole only if no filter took lines out.
   */
  readonly isComplete: boolean;
}
