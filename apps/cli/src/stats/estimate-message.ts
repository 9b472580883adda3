import type { Rules } from "@agent-checkpoint/categories";
import { CAPTURE, CLOSING, GENERIC_MESSAGE } from "@agent-checkpoint/composer";
import type { StoredStop } from "@agent-checkpoint/store";

/** What stands around the parts of a message: its first line, the headings, the commit. */
const FRAME = { header: 75, files: 35, actions: 85, observations: 15, line: 4 } as const;

/** As many names and sentences as a message shows, and an instruction whose rule is gone. */
const MOST = { files: 10, observations: 8, instruction: 40 } as const;

/** About how many characters a message had that nobody kept: the record tells what it was made of. */
export function estimateMessage({ actions, observations, trail, reason }: StoredStop, rules: Rules | null): number {
  if (reason === "git-unknown" || reason === "config-problem") return GENERIC_MESSAGE.length;
  const ending = CAPTURE.length + CLOSING.length + 2;
  const instructions = actions.map(
    (id) => rules?.actions.find((action) => action.id === id)?.instruction.length ?? MOST.instruction,
  );
  const said = observations.slice(0, MOST.observations).map(({ length }) => length);
  // The message that everything was done names no files.
  const files =
    reason === "all-clear" ? [] : (trail?.changedFiles ?? []).slice(0, MOST.files).map(({ length }) => length);
  return (
    FRAME.header +
    ending +
    part(files, FRAME.files) +
    part(instructions, FRAME.actions) +
    part(said, FRAME.observations)
  );
}

function part(lengths: readonly number[], frame: number): number {
  return lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length + FRAME.line, frame);
}
