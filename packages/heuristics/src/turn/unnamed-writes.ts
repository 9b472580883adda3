import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { isTidier, NO_RUNNERS, runOf } from "@agent-checkpoint/commands";
import type { PlacedCommand, TurnCall } from "./read-turn.ts";

/** Arguments with which unknown tools name a file and its new text. */
const PATHS =
  /^(?:path|uri|file_?name|(?:file|relative|target|absolute)_?(?:file)?_?path|target_?file|path_?in_?project)$/i;
const TEXTS =
  /^(?:contents?|text|body|edits|diff|patch|repl(?:acement)?|code_?edit|new_?(?:string|text|str|contents?|source|code))$/i;

/** The files that an unknown tool edited, if it was given a path and a new text. */
export function filesEdited({ toolName, inputData }: ToolCallRecord): readonly string[] {
  const entries = Object.entries(inputData);
  if (LOOKING.test(toolName) || !entries.some(([key]) => TEXTS.test(key))) return [];
  return entries.flatMap(([key, value]) => (PATHS.test(key) && typeof value === "string" ? [value] : []));
}

/** Clocks of file systems tick more slowly than those of programs. */
export const TICK_MS = 20;

/**
 * The calls with the files that they changed without naming them: files last written while one call was running that
 * can write. Files written while no such call was running are the person's.
 */
export function withUnnamedWrites(
  calls: readonly TurnCall[],
  writtenAt: readonly (readonly [file: string, at: number])[],
): readonly TurnCall[] {
  const writers = calls.flatMap((call, index) => {
    const { timestamp, endedAt } = call.record;
    if (timestamp === null || !canWrite(call)) return [];
    const end = endedAt ?? calls[index + 1]?.record.timestamp ?? null;
    return [{ call, from: timestamp.getTime() - TICK_MS, to: end?.getTime() ?? Infinity }];
  });
  const unnamed = new Map<TurnCall, string[]>();
  for (const [file, at] of writtenAt) {
    const writer = writers.findLast(({ from, to }) => from <= at && at <= to)?.call;
    if (writer === undefined) continue;
    unnamed.set(writer, [...(unnamed.get(writer) ?? []), file]);
  }
  return calls.map((call) => {
    const files = unnamed.get(call);
    // It is unknown which command of the line it was, so it counts from the line's start.
    const order = call.commands[0]?.order ?? call.order;
    return files === undefined
      ? call
      : { ...call, writes: [...call.writes, ...files.map((file) => ({ file, order }))] };
  });
}

/** Whether a call of the turn may have changed files that it does not name. */
export function mayWriteUnnamed({ calls }: { readonly calls: readonly TurnCall[] }): boolean {
  return calls.some(canWrite);
}

/** Whether a call may have changed files that it does not name. */
function canWrite({ record, commands }: TurnCall): boolean {
  if (record.rejected) return false;
  if (record.kind === "other") return !LOOKING.test(record.toolName);
  return record.kind === "agent" || (record.kind === "shell" && commands.some(mayChangeFiles));
}

/** Words in the names of tools that only look. */
const LOOKING =
  /(?:^|[_-])(?:read|get|list|search|find|fetch|query|view|show|browser|navigate|todo|plan|web)|Todo|Web|Plan/;

/** Whether a command may change files that it does not name; files that git brings in from other commits are not the turn's work. */
export function mayChangeFiles(command: PlacedCommand): boolean {
  const [program = "", ...args] = command.argv;
  if (isTidier(command) || command.redirectsTo.length > 0) return true;
  if (program === "git") return args.some((word) => /^(?:apply|am|cherry-pick|revert|mv|rm|stash)$/.test(word));
  if (program === "find" || program === "fd")
    return args.some((word) => /^-(?:exec|execdir|delete|ok|x|X)$/.test(word));
  if (program === "sed" || program === "awk" || program === "yq")
    return args.some((word) => /^-[a-zA-Z]*i|^--in-?place/.test(word));
  if (CHANGERS.has(program)) return true;
  const kind = runOf(command)?.kind ?? null;
  return !NO_RUNNERS.has(program) && (kind === null || WRITING.has(kind));
}

const WRITING: ReadonlySet<string> = new Set(["run", "format", "migrate", "generate"]);

/** Common programs that change files. */
const CHANGERS: ReadonlySet<string> = new Set("mv cp rm ln touch tar unzip install xargs rsync tee".split(" "));
