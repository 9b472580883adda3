import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { execa } from "execa";
import { readJsonObject } from "../json-file.ts";

/** An agent's program. */
export interface InstalledAgent {
  readonly path: string;
  /** Its version; null if unknown. */
  readonly version: string | null;
}

/** An agent's program on the PATH, with its version; null if there is none. */
export async function findInstalled(
  { program, packageName }: { readonly program: string; readonly packageName: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<InstalledAgent | null> {
  const path = findOnPath(program, env["PATH"]);
  if (path === null) return null;
  const real = realpathSync(path);
  return { path, version: packagedVersion(real, packageName) ?? versionInPath(real) ?? (await askVersion(path, env)) };
}

const LEVELS_TO_MANIFEST = 6;
const PATIENCE_MS = 5000;

/** The version in the `package.json` of the npm package that contains a program. */
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

/** The program of a name that a shell would start; relative folders of the PATH are left out. */
export function findOnPath(name: string, path: string | undefined): string | null {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

/** Whether a path is a file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether a version is the same as another or later; anything after the three numbers is ignored. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [found, needed] = [numbersOf(version), numbersOf(wanted)];
  const index = found.findIndex((number, place) => number !== needed[place]);
  return index === -1 || (found[index] ?? 0) > (needed[index] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const [, ...parts] = /(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return parts.map(Number);
}
