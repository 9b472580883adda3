import type { SettingsScope } from "@agent-checkpoint/agents";
import type { AgentName } from "@agent-checkpoint/transcript";

/** What `uninstall` did, or would do; the value that `--json` prints. */
export interface UninstallReport {
  readonly isDryRun: boolean;
  readonly scope: SettingsScope;
  readonly agents: readonly RemovalReport[];
}

/** What was taken out of an agent's settings. */
export interface RemovalReport {
  readonly agent: AgentName;
  readonly title: string;
  readonly file: string;
  readonly status: "removed" | "unchanged" | "refused" | "failed";
  /** The events whose hooks were taken out. */
  readonly events: readonly string[];
  /** Whether the file, which `init` had made, went as well. */
  readonly isFileRemoved: boolean;
  /** Copies that `init` had kept and that are no longer needed: the file is the same again. */
  readonly removedBackups: readonly string[];
  /** Copies that stay, because the file is not what they hold. */
  readonly keptBackups: readonly string[];
  readonly problem: string | null;
  readonly advice: string | null;
  readonly notes: readonly string[];
  readonly diff: string | null;
}
