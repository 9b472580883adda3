import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOOKS_IN_SETTINGS, type HooksForm, type WantedHook } from "./plan.ts";

/** How an organization gives hooks to everybody who uses an agent. */
export interface ManagedChannel {
  /** The file on each machine; null if only the agent's own documentation can tell where it is. */
  readonly file: Readonly<Record<Platform, string>> | null;
  /** The other ways to deliver the same payload, one sentence each. */
  readonly otherWays: readonly string[];
  /** What the file has to hold; the program of the hooks lies in the folder. */
  readonly payload: (hooks: readonly WantedHook[], programFolder: string) => string;
  /** What we know this from, as a sentence. */
  readonly knownFrom: string;
}

export type Platform = "linux" | "darwin" | "win32";

/** The file of this machine, below another root in tests. */
export function onThisMachine(
  files: Readonly<Record<Platform, string>>,
  { systemRoot }: { readonly systemRoot?: string | undefined },
): string {
  const { platform } = process;
  const file = files[platform === "darwin" || platform === "win32" ? platform : "linux"];
  return systemRoot === undefined ? file : join(systemRoot, file);
}

/** The JSON files of a folder, by name; none if there is no folder. */
export function jsonFilesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.toSorted().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** A payload that is a settings file with our hooks and nothing else. */
export function settingsPayload(hooks: readonly WantedHook[]): string {
  const planned = HOOKS_IN_SETTINGS.plan(null, hooks);
  if (!planned.ok) throw new Error(planned.problem.expected);
  return planned.text;
}

/** Whether one of these files registers our program for an event. */
export function registersUs(files: readonly string[], event: string, form: Pick<HooksForm, "read">): boolean {
  return files.some((file) => {
    const read = form.read(textOf(file));
    return read.ok && read.registrations.some((one) => one.isOurs && one.event === event);
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
