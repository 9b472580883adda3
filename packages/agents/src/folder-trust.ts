import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { HooksFile, SettingsPlace, TrustFinding } from "./agent.ts";
import { readJsonObject } from "./json-file.ts";

/** A person's decision about a folder. */
export type FolderTrust = "trusted" | "untrusted" | "unknown";

const LEVELS: Readonly<Record<string, FolderTrust>> = {
  TRUST_FOLDER: "trusted",
  TRUST_PARENT: "trusted",
  DO_NOT_TRUST: "untrusted",
};

/** A person's rule for a folder in a `trustedFolders.json`; of the rules that cover it, the longest path decides. */
export function folderRule(file: string, folder: string): FolderTrust {
  const [rule] = Object.entries(readJsonObject(file))
    .filter(([path, level]) => covers(level === "TRUST_PARENT" ? dirname(path) : path, folder))
    .toSorted(([a], [b]) => b.length - a.length);
  return LEVELS[String(rule?.[1])] ?? "unknown";
}

/** Whether the agent runs our hooks in the project's files, if it does so only in trusted folders. */
export function projectTrust(
  files: readonly HooksFile[],
  { projectRoot }: SettingsPlace,
  { isTrusted, title, fix }: { readonly isTrusted: boolean; readonly title: string; readonly fix: string },
): readonly TrustFinding[] {
  return files
    .filter(({ scope, registrations }) => scope === "project" && registrations.some(({ isOurs }) => isOurs))
    .map(({ path }) =>
      isTrusted
        ? { ok: true, what: projectRoot }
        : { ok: false, what: `${projectRoot} is not a trusted folder: ${title} does not look at ${path}`, fix },
    );
}

/** Whether a folder is another one or holds it. */
export function covers(folder: string, path: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** A path without links; unchanged if nothing exists there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
