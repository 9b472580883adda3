import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Format, Transcript } from "../format.ts";
import { homeOf, listFolder, readBlock, variableOf, withRegularFile } from "../../read/files.ts";
import { objectAt, parseObject, textAt } from "../../read/json.ts";
import { digest } from "../../turn/find-turns.ts";

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

const HEAD = 4096;

/** Reads which session a Gemini CLI transcript belongs to. */
export const readSession: Format["readSession"] = (transcript) => {
  const sessionId = readSessionId(transcript);
  if (sessionId === null) return null;
  const head = headOf(transcript, HEAD);
  const hash = /"projectHash"\s*:\s*"([0-9a-f]{16,})"/.exec(head)?.[1] ?? null;
  return {
    sessionId,
    projectPath: markedFolder(transcript.path) ?? (hash === null ? null : hashedFolder(hash, transcript)),
    isSubAgent: /"kind"\s*:\s*"subagent"/.test(head),
  };
};

/** Since 0.29 the folder above `chats` names its project. */
function markedFolder(path: string): string | null {
  try {
    return readFileSync(join(dirname(dirname(path)), ".project_root"), "utf8").trim() || null;
  } catch {
    return null;
  }
}

const NAMED_EARLY = 512 * 1024;
const MAX_FOLDERS = 4000;

/** The project is only given as a hash: it is whichever folder above a file that the session names has that hash. */
function hashedFolder(hash: string, transcript: Transcript): string | null {
  const tried = new Set<string>();
  for (const [path] of headOf(transcript, NAMED_EARLY).matchAll(PATHS)) {
    for (let folder = path; folder !== "/" && folder !== "." && !tried.has(folder); folder = dirname(folder)) {
      if (hash.startsWith(digest(folder))) return folder;
      if (tried.add(folder).size > MAX_FOLDERS) return null;
    }
  }
  return null;
}

const PATHS = /\/[^\s"'`\\<>|:*?()]+/g;

function headOf({ file }: Transcript, length: number): string {
  return readBlock(file, 0, Math.min(length, file.size)).toString("utf8");
}

/** The session's id, which stands in the first lines of every Gemini CLI transcript, beside the project's hash. */
export function readSessionId(transcript: Transcript): string | null {
  const head = headOf(transcript, HEAD);
  return head.includes('"projectHash"') ? (/"sessionId"\s*:\s*"([^"]+)"/.exec(head)?.[1] ?? null) : null;
}
