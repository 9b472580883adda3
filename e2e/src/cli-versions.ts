import versions from "../cli-versions.json" with { type: "json" };

/** The agents whose real CLI is run here. */
export type AgentName = keyof typeof versions;

/** Which versions of a CLI are used: the newest in tests and recordings, the older ones in recordings only. */
export interface CliVersions {
  readonly package: string;
  /** A package of the same version that is installed beside it. */
  readonly beside?: string;
  readonly newest: string;
  readonly older: readonly string[];
}

/** The pinned versions of every CLI. */
export const CLI_VERSIONS: Readonly<Record<AgentName, CliVersions>> = versions;
