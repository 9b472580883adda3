import { readBlock } from "../../read/files.ts";
import type { Transcript } from "../format.ts";

const HEAD = 4096;

/** The session's id, which stands in the first lines of every Gemini CLI transcript, beside the project's hash. */
export const readSessionId = ({ file }: Transcript): string | null => {
  const head = readBlock(file, 0, Math.min(HEAD, file.size)).toString("utf8");
  return head.includes('"projectHash"') ? (/"sessionId"\s*:\s*"([^"]+)"/.exec(head)?.[1] ?? null) : null;
};
