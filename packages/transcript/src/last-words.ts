import type { Format, Transcript } from "./formats/format.ts";
import { LAST_LINES, newTally } from "./read/backwards.ts";
import type { TurnPrompt } from "./types.ts";

const LAST_CHARACTERS = 500;
/** Lines of bookkeeping may follow the last words. */
const MAX_ENTRIES = 40;

/** What the agent last said: as its hook told it, or else from the end of the transcript. */
export function lastWordsOf(
  transcript: Transcript,
  format: Format,
  { prompt, told }: { readonly prompt: TurnPrompt | null; readonly told?: string | undefined },
): { readonly lastWords?: string } {
  if (told !== undefined) return { lastWords: told.slice(-LAST_CHARACTERS) };
  if (prompt === null) return {};
  const { size } = transcript.file;
  const view = { ...transcript, file: { ...transcript.file, firstBlock: LAST_LINES } };
  let left = MAX_ENTRIES;
  for (const entry of format.readEntries(view, newTally(), { from: prompt.offset, to: size })) {
    const words = format.replyText(entry);
    if (words !== null) return { lastWords: words.slice(-LAST_CHARACTERS) };
    left -= 1;
    if (left === 0) break;
  }
  return {};
}
