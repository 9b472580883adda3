import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentSettings,
  readRegistrations,
  type Registration,
  type SettingsPlace,
  type SettingsProblem,
  type SettingsScope,
} from "@agent-checkpoint/agents";
import type { OwnHook } from "./agent-case.ts";

/** A settings file that an agent reads hooks from. */
export interface SettingsFile {
  readonly path: string;
  readonly scope: SettingsScope;
  readonly registrations: readonly Registration[];
  /** Why it cannot be used; null where it can. */
  readonly problem: SettingsProblem | string | null;
}

/** The settings files of an agent that are there. */
export function readSettingsFiles(settings: AgentSettings, place: SettingsPlace): readonly SettingsFile[] {
  const files = [
    { scope: "user", path: settings.settingsFile("user", place) },
    { scope: "project", path: settings.settingsFile("project", place) },
    // What Claude Code's own `/hooks` writes for one person in one project.
    ...(settings.agent === "claude"
      ? [{ scope: "project", path: join(place.projectRoot, ".claude", "settings.local.json") } as const]
      : []),
  ] as const;
  const seen = new Set<string>();
  return files.flatMap(({ scope, path }) => {
    const real = realPath(path);
    if (real === null || seen.has(real)) return [];
    seen.add(real);
    return [{ scope, path, ...readFile(path) }];
  });
}

/** Our hooks in an agent's settings, of the events that it has for us. */
export function ownHooks({ events }: AgentSettings, files: readonly SettingsFile[]): readonly OwnHook[] {
  return files.flatMap(({ path, scope, registrations }) =>
    registrations.flatMap((registration) => {
      const { command, isOurs, event } = registration;
      const kind = events.find(({ name }) => name === event)?.kind;
      return isOurs && command !== null && kind !== undefined
        ? [{ ...registration, command, kind, file: path, scope }]
        : [];
    }),
  );
}

function readFile(path: string): Pick<SettingsFile, "registrations" | "problem"> {
  try {
    const result = readRegistrations(readFileSync(path, "utf8"));
    return result.ok
      ? { registrations: result.registrations, problem: null }
      : { registrations: [], problem: result.problem };
  } catch (error) {
    return { registrations: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
