import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "@agent-checkpoint/transcript";

/** Where the person's own sessions lie, of one agent or of all; agents can be told to keep them elsewhere. */
export function transcriptFolders(
  { userHome, env }: { readonly userHome: string; readonly env: Readonly<Record<string, string | undefined>> },
  agent: AgentName | null,
): readonly string[] {
  const codex = env["CODEX_HOME"] || join(userHome, ".codex");
  const folders: Readonly<Record<AgentName, () => readonly string[]>> = {
    claude: () => [join(env["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude"), "projects")],
    gemini: () => chatFolders(join(env["GEMINI_CLI_HOME"] || userHome, ".gemini", "tmp")),
    codex: () => [join(codex, "sessions"), join(codex, "archived_sessions")],
  };
  return agent === null ? Object.values(folders).flatMap((list) => list()) : folders[agent]();
}

/** Gemini CLI keeps other files beside the chats of a project. */
function chatFolders(root: string): readonly string[] {
  try {
    return readdirSync(root).map((project) => join(root, project, "chats"));
  } catch {
    return [];
  }
}
