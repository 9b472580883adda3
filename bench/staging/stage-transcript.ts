import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { type SessionFacts, type Step, writeClaudeTranscript } from "../../fixtures/src/index.ts";
import { EDITED_FILE } from "./stage-repository.ts";

const MB = 1024 * 1024;
const RECORDINGS = ["blocked-once-then-finished", "parallel-calls", "tool-use-errors"];
/** Half of 2785 real turns are longer than 53 KB. */
const LAST_TURN_CALLS = 8;

/** A transcript of so many megabytes: recorded turns again and again, then a turn that changes a file and tests nothing. */
export function stageTranscript(path: string, megabytes: number, facts: SessionFacts): void {
  const older = Buffer.from(RECORDINGS.map(recording).join(""));
  const last = Buffer.from(writeClaudeTranscript(LAST_TURN, facts));
  const file = openSync(path, "w");
  try {
    let left = megabytes * MB - last.length;
    for (; left > older.length; left -= older.length) writeSync(file, older);
    writeSync(file, older.subarray(0, older.lastIndexOf("\n", left) + 1));
    writeSync(file, last);
  } finally {
    closeSync(file);
  }
}

function recording(name: string): string {
  return readFileSync(new URL(`../../packages/transcript/fixtures/claude/${name}.jsonl`, import.meta.url), "utf8");
}

const LAST_TURN: readonly Step[] = [
  { read: EDITED_FILE },
  { edit: EDITED_FILE },
  ...Array.from({ length: LAST_TURN_CALLS }, (_, index) => ({
    shell: `git log --stat -${index + 5} -- src/part-${index}`,
    output: ` src/part-${index}/folder-7/file-350.ts | 12 ++++++------\n`.repeat(38),
  })),
];
