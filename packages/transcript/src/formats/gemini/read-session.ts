import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBlock } from "../../read/files.ts";
import { digest } from "../../turn/digest.ts";
import type { Format, Transcript } from "../format.ts";
import { readSessionId } from "./read-session-id.ts";

const HEAD = 4096;

/** Reads of which session a Gemini CLI transcript is. */
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

/** The project is only told as a hash: it is the folder above some file that the session names which has that hash. */
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
