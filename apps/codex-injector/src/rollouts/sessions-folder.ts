import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The folder below which Codex keeps its rollouts, by year, month and day. */
export const sessionsFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  resolve(env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex"), "sessions");
