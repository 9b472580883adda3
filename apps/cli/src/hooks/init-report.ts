import type { HookChange, SettingsScope } from "@agent-checkpoint/agents";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { Finding } from "../proposal/propose-config.ts";

/** What `init` did, or would do; the value that `--json` prints. */
export interface InitReport {
  readonly isDryRun: boolean;
  readonly scope: SettingsScope;
  /** The repository; null outside of one. */
  readonly root: string | null;
  readonly agents: readonly AgentReport[];
  /** Agents that were not found. */
  readonly notFound: readonly AgentName[];
  /** The repository's config; null where it was not asked for. */
  readonly config: ConfigReport | null;
  /** What is left to do for all agents. */
  readonly next: readonly string[];
}

/** What was done for an agent. */
export interface AgentReport {
  readonly agent: AgentName;
  readonly title: string;
  /** Its version; null where it is not known. */
  readonly version: string | null;
  readonly file: string;
  readonly status: "registered" | "unchanged" | "too-old" | "refused" | "failed";
  readonly isNewFile: boolean;
  readonly hooks: readonly HookChange[];
  /** The copy of the file as it was. */
  readonly backup: string | null;
  /** What went wrong, and what to do about it. */
  readonly problem: string | null;
  readonly advice: string | null;
  /** What is worth knowing. */
  readonly notes: readonly string[];
  /** What the person has to do before the hooks run. */
  readonly next: readonly string[];
  /** The change as a unified diff, in a dry run. */
  readonly diff: string | null;
}

/** What became of the repository's config. */
export interface ConfigReport {
  readonly file: string;
  readonly status: "written" | "kept" | "failed";
  readonly preset: string;
  /** What is asked for, and where each command comes from. */
  readonly found: readonly Finding[];
  /** Checks that the repository has and that are not asked for. */
  readonly checks: readonly Finding[];
  /** What was not found or not understood, in plain words. */
  readonly notes: readonly string[];
  /** Rows that a config which was there does not have. */
  readonly missing: string;
  readonly problem: string | null;
  readonly diff: string | null;
}
