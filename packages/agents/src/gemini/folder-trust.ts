import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { SettingsPlace } from "../agent-settings.ts";
import { asObject, readJsonObject } from "../read-json-object.ts";

/** Whether Gemini CLI trusts the project's folder, and the file that says so. */
export interface FolderTrust {
  readonly trust: "trusted" | "untrusted" | "unknown";
  readonly file: string;
}

/** Looks up what a person has told Gemini CLI about a folder; of the rules that cover it, the longest path decides. */
export function folderTrust(home: string, { env, projectRoot }: SettingsPlace): FolderTrust {
  const file = env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] || join(home, "trustedFolders.json");
  const forced = env["GEMINI_CLI_TRUST_WORKSPACE"];
  if (env["GEMINI_RESTRICTED_MODE"] === "true" || forced === "false") return { file, trust: "untrusted" };
  const security = asObject(readJsonObject(join(home, "settings.json"))["security"]);
  if (forced === "true" || asObject(security["folderTrust"])["enabled"] === false) return { file, trust: "trusted" };
  const [rule] = Object.entries(readJsonObject(file))
    .filter(([path, level]) => covers(level === "TRUST_PARENT" ? dirname(path) : path, projectRoot))
    .toSorted(([a], [b]) => b.length - a.length);
  return { file, trust: TRUST[String(rule?.[1])] ?? "unknown" };
}

const TRUST: Readonly<Record<string, FolderTrust["trust"]>> = {
  TRUST_FOLDER: "trusted",
  TRUST_PARENT: "trusted",
  DO_NOT_TRUST: "untrusted",
};

function covers(folder: string, path: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
