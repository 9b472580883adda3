import { readFileSync } from "node:fs";
import { join } from "node:path";
import { homeOf, listFolder, variableOf, withRegularFile } from "../../read/files.ts";
import { objectAt, parseObject, textAt } from "../../read/json.ts";
import type { Format } from "../format.ts";
import { readSessionId } from "./read-session-id.ts";

/**
 * Finds a session below `~/.gemini/tmp`, in the `chats` folder of its project.
 *
 * The project's folder is named in `projects.json`, up to 0.28 by a hash of the path. The file's name ends with the
 * first eight characters of the session's id; a resumed session can leave a stub with the same name's end behind, so
 * the largest file that has the id is the one.
 */
export const findTranscript: Format["findTranscript"] = (query) => {
  const root = join(variableOf(query, "GEMINI_CLI_HOME") ?? homeOf(query), ".gemini");
  const named = textAt(objectAt(readJson(join(root, "projects.json")), "projects") ?? {}, query.projectPath);
  const folders = listFolder(join(root, "tmp"));
  const ordered = named === null ? folders : [named, ...folders.filter((folder) => folder !== named)];
  for (const folder of ordered) {
    const found = findIn(join(root, "tmp", folder, "chats"), query.sessionId);
    if (found !== null) return found;
  }
  return null;
};

function findIn(chats: string, sessionId: string): string | null {
  const files = listFolder(chats)
    .filter((name) => name.includes(`-${sessionId.slice(0, 8)}.json`))
    .map((name) => ({ path: join(chats, name), ...sessionOf(join(chats, name)) }))
    .filter((file) => file.sessionId === sessionId)
    .toSorted((one, other) => other.size - one.size);
  return files[0]?.path ?? null;
}

function sessionOf(path: string): { readonly sessionId: string | null; readonly size: number } {
  const reading = withRegularFile(path, (file) => ({ sessionId: readSessionId({ path, file }), size: file.size }));
  return reading.status === "read" ? reading.value : { sessionId: null, size: 0 };
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  try {
    return parseObject(readFileSync(path, "utf8")) ?? {};
  } catch {
    return {};
  }
}
