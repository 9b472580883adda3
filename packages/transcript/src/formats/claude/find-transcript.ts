import { join } from "node:path";
import { homeOf, isFile, listFolder, variableOf } from "../../read/files.ts";
import type { Format } from "../format.ts";

/**
 * Finds a session below `~/.claude/projects`, in the folder of its project.
 *
 * The folder's name is the path with every other character a dash, cut where it is long; a session that was moved to
 * another folder is found by looking into all of them.
 */
export const findTranscript: Format["findTranscript"] = (query) => {
  const root = variableOf(query, "CLAUDE_CONFIG_DIR") ?? join(homeOf(query), ".claude");
  const projects = join(root, "projects");
  const own = query.projectPath.replace(/[^a-zA-Z0-9]/g, "-");
  const candidates = [own, ...listFolder(projects)].map((folder) => join(projects, folder, `${query.sessionId}.jsonl`));
  return candidates.find((file) => isFile(file)) ?? null;
};
