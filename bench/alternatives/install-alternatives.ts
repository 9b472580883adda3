import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Alternative } from "./alternatives.ts";

/** An alternative that is not measured, and why. */
export interface Skipped {
  readonly id: string;
  readonly why: string;
}

/** Installs the packages of alternatives into a folder, without their install scripts. */
export function installAlternatives(folder: string, wanted: readonly Alternative[]): readonly Skipped[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const packages = wanted.flatMap(({ npm }) => npm ?? []);
  // All at once is faster; one by one shows which is unavailable.
  if (packages.length === 0 || install(folder, packages) === null) return [];
  return wanted.flatMap(({ id, npm }) => {
    const why = npm === null ? null : install(folder, [npm]);
    return why === null ? [] : [{ id, why: `npm could not install it: ${why}` }];
  });
}

function install(folder: string, packages: readonly string[]): string | null {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  const { status, error, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (status === 0) return null;
  return error?.message ?? stderr.trim().split("\n").at(0) ?? `exit code ${status}`;
}
