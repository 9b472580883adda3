import { accessSync, constants, existsSync, lstatSync, readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { ToolEvent } from "@agent-checkpoint/agents/wire";
import type { Outcome, Place } from "@agent-checkpoint/composer";
import { findRules, recallConfigs } from "@agent-checkpoint/composer/gate";
import { IS_BINARY } from "@agent-checkpoint/files/node-version";
import { openStore } from "@agent-checkpoint/store";
import { userHome } from "./autosave-at-stop.ts";

/** What a call is judged in: the place of the event, and what the process was started with. */
export interface ToolPlace extends Pick<Place, "agent" | "home" | "now" | "isCanary"> {
  readonly env: NodeJS.ProcessEnv;
}

/** A call of a tool: passed at once unless it changes something and the project asks for a checkpoint first. */
export async function handleTool(
  event: ToolEvent,
  place: ToolPlace,
  deny: (message: string) => void,
): Promise<Outcome> {
  const { target, tool, cwd } = event;
  const root = target === null || place.isCanary === true ? null : projectRoot(event.projectPath);
  if (target === null || root === null) return { problem: null };
  const remembered = await configsOfPrompt(event, place);
  const asks = remembered === null ? asksForGate(root, place.home) : remembered.includes("gate");
  if (!asks) return { problem: null };
  const loaded = await findRules(root, place.home, { configs: recallConfigs(remembered) });
  if (!loaded.ok) return { problem: "the gate is open: the config cannot be used" };
  const { safety } = loaded.rules;
  if (safety?.gate !== true) return { problem: null };
  const { judgeCall } = await import("@agent-checkpoint/snapshots/gate");
  const verdict = await judgeCall(
    { tool, target },
    {
      cwd,
      root,
      home: place.home,
      userHome: userHome(place.env),
      freshMinutes: safety.freshMinutes,
      now: place.now,
      program: checkpointProgram(place.env),
    },
  );
  if (!verdict.allowed) deny(verdict.reason);
  return { problem: null };
}

/** The configs at the session's last prompt, which count until the next one; null if they are not known. */
async function configsOfPrompt({ sessionId }: ToolEvent, { agent, home, now }: ToolPlace): Promise<string | null> {
  // Nothing is created for a call that passes.
  if (sessionId === null || !existsSync(join(home, "checkpoint.db"))) return null;
  const opened = await openStore(home, { now: () => now });
  if (!opened.ok) return null;
  const [session] = await opened.store.sessions.list({ agent, sessionId });
  const configs = session?.configs ?? null;
  return recallConfigs(configs) === null ? null : configs;
}

/** Whether a config so much as mentions the gate; a project without one is told so by two small reads and nothing else. */
function asksForGate(root: string, home: string): boolean {
  return [join(root, "checkpoint.config.json"), join(home, "config.json")].some((path) => {
    try {
      // Anything but a plain file is left to the reader of the rules, which handles links and pipes.
      return !lstatSync(path).isFile() || readFileSync(path, "utf8").includes("gate");
    } catch {
      return false;
    }
  });
}

/** The work tree that a folder lies in, else the folder. */
function projectRoot(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return folder;
  }
}

/**
 * The words that start `checkpoint` from an agent's shell: its name if that is on the PATH, otherwise the program beside this
 * one.
 */
function checkpointProgram(env: NodeJS.ProcessEnv): readonly string[] {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  if (folders.some((folder) => isRunnable(join(folder, "checkpoint")))) return ["checkpoint"];
  const beside = join(__dirname, "checkpoint.mjs");
  return !IS_BINARY && existsSync(beside) ? [process.execPath, beside] : ["npx", "checkpoint"];
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
