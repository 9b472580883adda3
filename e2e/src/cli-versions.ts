import versions from "../cli-versions.json" with { type: "json" };

/** The agents whose real CLI is run here. */
export type AgentName = keyof typeof versions;

/** Which versions of a CLI are used: the newest in tests and recordings, the older ones in recordings and by hand. */
export interface CliVersions {
  readonly package: string;
  /** A package of the same version that is installed beside it. */
  readonly beside?: string;
  readonly newest: string;
  readonly older: readonly string[];
}

/** The pinned versions of every CLI. */
export const CLI_VERSIONS: Readonly<Record<AgentName, CliVersions>> = versions;

/** Whether the oldest pinned version of each is to be run instead of the newest. */
export function wantsOldest(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env["AGENT_CHECKPOINT_E2E_OLDEST"]);
}
