import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import type { AgentSettings } from "../agent-settings.ts";
import { readJsonObject } from "../read-json-object.ts";
import { findOnPath } from "./find-on-path.ts";

/** An agent's program. */
export interface InstalledAgent {
  readonly path: string;
  /** Its version; null where it cannot be told. */
  readonly version: string | null;
}

/** An agent's program on the PATH, with its version; null where there is none. */
export async function findInstalled(
  { program, packageName }: Pick<AgentSettings, "program" | "packageName">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InstalledAgent | null> {
  const path = findOnPath(program, env["PATH"]);
  if (path === null) return null;
  const real = realpathSync(path);
  return { path, version: packagedVersion(real, packageName) ?? versionInPath(real) ?? (await askVersion(path, env)) };
}

const LEVELS_TO_MANIFEST = 6;
const PATIENCE_MS = 5000;

/** The version in the `package.json` that an npm package's program lies under. */
function packagedVersion(program: string, packageName: string): string | null {
  let folder = dirname(program);
  for (let level = 0; level < LEVELS_TO_MANIFEST; level += 1, folder = dirname(folder)) {
    const { name, version } = readJsonObject(join(folder, "package.json"));
    if (name === packageName) return typeof version === "string" ? version : null;
  }
  return null;
}

/** Installers keep each version in a file or folder of its name. */
function versionInPath(program: string): string | null {
  return /[/\\](\d+\.\d+\.\d+)(?:[/\\][^/\\]+)?$/.exec(program)?.[1] ?? null;
}

async function askVersion(path: string, env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  const { stdout } = await execa(path, ["--version"], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: PATIENCE_MS,
    forceKillAfterDelay: 500,
  });
  return /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0] ?? null;
}
