import type { ToolCallRecord, TurnTimeline } from "@agent-checkpoint/transcript";
import { affordablePart } from "../shell/affordable-part.ts";
import { fileEffects } from "../shell/file-effects.ts";
import { parseCommandLine, type ShellCommand } from "../shell/parse-command-line.ts";
import { isInProject, joinPath, type ProjectPlace, toProjectPath } from "./project-path.ts";

/** A turn as the checks see it: calls in order, with what each did to the project's files. */
export interface Turn {
  readonly calls: readonly TurnCall[];
  /** Every change to a file of the project, in order. */
  readonly changes: readonly FileChange[];
}

/** A tool call with what its words tell. */
export interface TurnCall {
  /** Its place among the calls of the turn, from 1. */
  readonly number: number;
  /** Its place in the turn, after all of its commands. */
  readonly order: number;
  readonly record: ToolCallRecord;
  readonly commands: readonly PlacedCommand[];
  /** Whether its command line was left out, because those after it took all the time there is. */
  readonly isUnread: boolean;
  /** Files of the project that it read. */
  readonly reads: readonly FileTouch[];
  /** Files of the project that it wrote. */
  readonly writes: readonly FileTouch[];
}

/** A shell command with its place in the turn. */
export interface PlacedCommand extends ShellCommand {
  /** Grows through the turn; the parts of one pipeline share it. */
  readonly order: number;
  /** Whether it ran in the project, as far as its folder is known. */
  readonly isInProject: boolean;
}

/** A file of the project that a command or tool touched. */
export interface FileTouch {
  readonly file: string;
  readonly order: number;
}

/** A change to a file of the project, with its place in the turn. */
export type FileChange = FileTouch;

/** Reads the calls of a timeline into a turn; whoever asks again at the same stop gets the same. */
export function readTurn(timeline: TurnTimeline, place: ProjectPlace): Turn {
  const last = known.get(timeline);
  if (last?.place === place) return last.turn;
  const turn = readCalls(timeline, place);
  known.set(timeline, { place, turn });
  return turn;
}

const known = new WeakMap<TurnTimeline, { readonly place: ProjectPlace; readonly turn: Turn }>();

function readCalls(timeline: TurnTimeline, place: ProjectPlace): Turn {
  let order = 0;
  const firstRead = firstAffordable(timeline.toolCalls);
  const calls = timeline.toolCalls.map((record, index): TurnCall => {
    const start = order + 1;
    const isUnread = record.kind === "shell" && index < firstRead;
    const read =
      record.kind === "shell" && !isUnread ? readShellCall(record, start, place) : readToolCall(record, start, place);
    order = Math.max(start, read.commands.at(-1)?.order ?? start);
    return { ...read, number: index + 1, order, record, isUnread };
  });
  return { calls, changes: calls.filter(mayHaveChanged).flatMap(({ writes }) => writes) };
}

/** Four times what the longest of 585 recorded turns ran; the parser takes up to ten microseconds for a character. */
const MOST_CHARACTERS = 200_000;

/** The call from which on command lines are read: the last ones count, since evidence has to come after a change. */
function firstAffordable(calls: readonly ToolCallRecord[]): number {
  let left = MOST_CHARACTERS;
  return calls.findLastIndex(({ command }) => (left -= affordablePart(command ?? "").length) < 0) + 1;
}

/** A call that failed may have written before it did; a tool that failed has not. */
function mayHaveChanged({ record }: TurnCall): boolean {
  return !record.rejected && (record.kind === "shell" || record.hadError !== true);
}

type ReadCall = Pick<TurnCall, "commands" | "reads" | "writes">;

function readToolCall(record: ToolCallRecord, order: number, place: ProjectPlace): ReadCall {
  const touches = touched(record.files, { order, folder: record.cwd ?? "." }, place);
  // What a shell call is reported to have changed, whatever its words.
  const isChange = record.kind === "edit" || record.kind === "write" || record.kind === "shell";
  const isRead = record.kind === "read";
  return { commands: [], reads: isRead ? touches : [], writes: isChange ? touches : [] };
}

function readShellCall(record: ToolCallRecord, start: number, place: ProjectPlace): ReadCall {
  const base = record.cwd ?? ".";
  const commands = parseCommandLine(record.command ?? "").map((command): PlacedCommand => {
    const folder = command.folder === null ? null : joinPath(base, command.folder);
    return {
      ...command,
      folder,
      order: start + command.step,
      isInProject: folder === null || isInProject(folder, place),
    };
  });
  const effects = commands.map((command) => ({ command, ...fileEffects(command) }));
  const at = ({ order, folder }: PlacedCommand) => ({ order, folder: folder ?? base });
  return {
    commands,
    reads: effects.flatMap(({ command, reads }) => touched(reads, at(command), place)),
    // What the agent reports beyond the command's words has no place in the line: it counts from its start.
    writes: [
      ...touched(record.files, { order: start, folder: base }, place),
      ...effects.flatMap(({ command, writes }) => touched(writes, at(command), place)),
    ],
  };
}

function touched(
  files: readonly string[],
  { order, folder }: { readonly order: number; readonly folder: string },
  place: ProjectPlace,
): FileTouch[] {
  return files.flatMap((path) => {
    const file = toProjectPath(path, place, folder);
    return file === null ? [] : [{ file, order }];
  });
}
