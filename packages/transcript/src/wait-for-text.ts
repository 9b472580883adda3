import { lastWords } from "./formats/claude/last-words.ts";
import { type OpenFile, withRegularFile } from "./read/open-regular-file.ts";
import { readBlock } from "./read/read-block.ts";
import { newTally, readEntriesBackwards } from "./read/read-entries-backwards.ts";
import { LAST_LINES } from "./read/read-lines-backwards.ts";

/** How long to wait, and how often to look. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number | undefined;
}

/**
 * Waits until a transcript ends with the agent's last words, and says whether it does.
 *
 * Claude Code calls a hook up to 131 ms before its last line is on the disk, and tells the hook what it will say. The
 * same words in an earlier answer do not count.
 */
export const waitForText = async (
  transcriptPath: string,
  text: string,
  { timeoutMs, intervalMs = 8 }: WaitOptions,
): Promise<boolean> => {
  const deadline = monotonicMs() + timeoutMs;
  let seen = -1;
  for (;;) {
    const look = withRegularFile(transcriptPath, (file) => {
      const hasGrown = file.size !== seen;
      seen = file.size;
      return hasGrown && endsWith(file, text);
    });
    if (look.status === "refused") return false;
    if (look.value) return true;
    const left = deadline - monotonicMs();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(intervalMs, left)));
  }
};

/** What `performance.now()` says as well, which takes a millisecond to load. */
const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const COMPARED_CHARACTERS = 200;
/** The last answer may be large, and some lines come after it. */
const TAIL = 4 * 1024 * 1024;

const endsWith = (file: OpenFile, text: string): boolean => {
  const end = text.trim().slice(-COMPARED_CHARACTERS);
  const from = Math.max(0, file.size - TAIL);
  for (const { value } of readEntriesBackwards({ ...file, firstBlock: LAST_LINES }, newTally(), { from })) {
    const words = lastWords(value);
    if (words !== null) return words.trimEnd().endsWith(end);
  }
  // Other agents write before they call: the words are somewhere near the end.
  return readBlock(file, from, file.size).includes(JSON.stringify(end).slice(1, -1));
};
