import { spawnSync } from "node:child_process";

/** A command under which the modes of files count, for root as for anybody. */
export const WITHOUT_OVERRIDE: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

/** A command under which nobody knows the user, who therefore has no home. */
export const AS_UNKNOWN_USER: readonly string[] = ["unshare", "--map-user=54321"];

/** A command that ends what would hang for ever, deaf to everything but this. */
export const ENDED_AFTER_15_S: readonly string[] = ["timeout", "--signal=KILL", "15"];

/** Whether a command can be run under another one here; not every system gives namespaces of one's own. */
export function canRunUnder(under: readonly string[]): boolean {
  const [program, ...args] = [...under, "true"];
  return program !== undefined && spawnSync(program, args).status === 0;
}

/** A command with a namespace of mounts that a script has prepared; `$1` and so on are the script's. */
export function inMounts(script: string, ...args: readonly string[]): readonly string[] {
  return [...MOUNTS, "sh", "-ec", `${script}; shift ${args.length}; exec "$@"`, "sh", ...args];
}

const MOUNTS = ["unshare", "--map-root-user", "--mount"] as const;

/** Whether `inMounts` works here. */
export const canMount: boolean = canRunUnder(MOUNTS);
