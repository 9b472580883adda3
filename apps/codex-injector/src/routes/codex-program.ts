import { execa } from "execa";

/** What the `codex` program on this machine can do. */
export interface CodexProgram {
  readonly path: string;
  readonly hasQueue: boolean;
}

/** Asks a `codex` program whether it has the queue command; one that is not there has nothing. */
export async function inspectCodex(path: string, env: Readonly<Record<string, string>>): Promise<CodexProgram> {
  const { exitCode, stdout } = await execa(path, ["queue", "--help"], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: 15_000,
  });
  return { path, hasQueue: exitCode === 0 && typeof stdout === "string" && stdout.includes("--thread") };
}

/** The Codex versions from which a route exists; the screens of those before 0.125 were not recorded. */
const SINCE = { hook: [0, 124], queue: [0, 149], tmux: [0, 125] } as const;

/** Whether a Codex of this version has a route; an unknown version has none. */
export function hasRoute(version: string | null, route: keyof typeof SINCE): boolean {
  const parts = /^(\d+)\.(\d+)/.exec(version ?? "");
  if (!parts) return false;
  const [major, minor] = SINCE[route];
  const found = [Number(parts[1]), Number(parts[2])] as const;
  return found[0] > major || (found[0] === major && found[1] >= minor);
}
