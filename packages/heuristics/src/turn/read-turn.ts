import { type Language, languagesOfFile } from "@agent-checkpoint/reports";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import {
  absolutePath,
  affordablePart,
  below,
  fileEffects,
  isFormatter,
  isInProject,
  isTidier,
  joinPath,
  operandsOf,
  parseCommandLine,
  type ProjectPlace,
  type ShellCommand,
  toProjectPath,
} from "@agent-checkpoint/commands";
import { filesEdited, mayChangeFiles, TICK_MS, withUnnamedWrites } from "./unnamed-writes.ts";

/** A turn as the checks see it: calls in order, with what each did to the project's files. */
export interface Turn {
  readonly calls: readonly TurnCall[];
  /** Every change to a file of the project that may matter, in order; changes that were undone do not count. */
  readonly changes: readonly FileChange[];
  /** Files that were put back, with the place in the turn, and the place since which changes to them are undone. */
  readonly restores: readonly (FileTouch & { readonly since: number })[];
  /** Files whose changes do not matter: comments, formatting, undone changes. */
  readonly harmless: ReadonlySet<string>;
}

/** A tool call with what its words show. */
export interface TurnCall {
  /** Its place among the calls of the turn, from 1. */
  readonly number: number;
  /** Its place in the turn, after all of its commands. */
  readonly order: number;
  readonly record: ToolCallRecord;
  readonly commands: readonly PlacedCommand[];
  /** Whether its command line was skipped because the later ones used up the time. */
  readonly isUnread: boolean;
  /** Files of the project that it read. */
  readonly reads: readonly FileTouch[];
  /** Files of the project that it wrote. */
  readonly writes: readonly FileTouch[];
  /** Files that git put back. */
  readonly restored: readonly FileTouch[];
  /** Files that it deleted. */
  readonly removed: readonly FileTouch[];
  readonly copied: readonly { readonly from: string; readonly to: string; readonly order: number }[];
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

/** Reads calls into a turn; memoised, since a stop asks for its turn more than once. */
export function readTurn({ toolCalls }: { readonly toolCalls: ToolCalls }, place: ProjectPlace): Turn {
  const last = known.get(toolCalls);
  if (last?.place.projectPath === place.projectPath && last.place.writtenAt === place.writtenAt) return last.turn;
  const turn = readCalls(toolCalls, place);
  known.set(toolCalls, { place, turn });
  return turn;
}

type ToolCalls = readonly ToolCallRecord[];

const known = new WeakMap<ToolCalls, { readonly place: ProjectPlace; readonly turn: Turn }>();

function readCalls(toolCalls: ToolCalls, place: ProjectPlace): Turn {
  let order = 0;
  const firstRead = firstAffordable(toolCalls);
  const seen = toolCalls.map((record, index): TurnCall => {
    const start = order + 1;
    const isUnread = record.kind === "shell" && index < firstRead;
    const read =
      record.kind === "shell" && !isUnread ? readShellCall(record, start, place) : readToolCall(record, start, place);
    order = Math.max(start, read.commands.at(-1)?.order ?? start);
    return { ...read, number: index + 1, order, record, isUnread };
  });
  const named = new Map(
    seen.flatMap(({ record, writes }) => writes.map(({ file }) => [file, record.endedAt ?? record.timestamp])),
  );
  const unnamed = [...(place.writtenAt ?? [])].filter(
    ([file, at]) => !named.has(file) || at > (named.get(file)?.getTime() ?? Infinity) + TICK_MS,
  );
  const calls = unnamed.length === 0 ? seen : withUnnamedWrites(seen, unnamed);
  const done = calls.filter(mayHaveChanged);
  const sisters = sisterRoots(calls, place);
  const isOurs = ({ file }: FileTouch) => !isAbsolutePath(file) || sisters.some((root) => below(file, root) !== null);
  const touched = calls.map((call) => ({
    ...call,
    reads: call.reads.filter(isOurs),
    writes: call.writes.filter(isOurs),
  }));
  const all = done.flatMap(({ writes }) => writes).filter(isOurs);
  const restores = [...restoresOf(done, all), ...removedAgain(done)];
  const undone = (change: FileChange) =>
    restores.some(({ file, order: end, since }) => file === change.file && since < change.order && change.order <= end);
  const cancelled = takenBack(done);
  const harmless = harmlessTouches(done);
  const changes = all.filter((change) => !undone(change) && !cancelled.has(change) && !harmless.has(change));
  const changed = new Set(changes.map(({ file }) => file));
  return {
    calls: touched,
    changes,
    restores,
    harmless: new Set(all.map(({ file }) => file).filter((file) => !changed.has(file))),
  };
}

/** Folders of temporary files. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var)\/|\/(?:AppData\/Local\/Temp|scratchpad)(?:\/|$)/i;

/** Roots beside the project that the turn worked in with git: worktrees and sister repositories. */
function sisterRoots(calls: readonly TurnCall[], place: ProjectPlace): readonly string[] {
  const roots = calls.flatMap(({ commands }) =>
    commands.flatMap(({ argv: [program, ...args], folder }) => {
      if (program !== "git" || folder === null) return [];
      const [subcommand, ...operands] = operandsOf(args, ["-C", "-c", "-b", "-B"]);
      if (subcommand === "worktree") return operands[0] === "add" ? [joinPath(folder, operands[1] ?? ".")] : [];
      const at = args.indexOf("-C");
      return WORKING.has(subcommand ?? "") ? [at === -1 ? folder : joinPath(folder, args[at + 1] ?? ".")] : [];
    }),
  );
  return [...new Set(roots.map((root) => absolutePath(root, place)))].filter(
    (root) => !isInProject(root, place) && !TEMPORARY.test(root) && below(absolutePath(".", place), root) === null,
  );
}

/** Subcommands of git that show work in a repository, not just a look at it. */
const WORKING: ReadonlySet<string> = new Set(["add", "commit", "push", "stash", "merge", "rebase", "cherry-pick"]);

/** Files that git restored, and files that were copied back from a backup. */
function restoresOf(calls: readonly TurnCall[], changes: readonly FileChange[]): Turn["restores"] {
  const copies = new Map<string, { readonly of: string; readonly order: number }>();
  return calls.flatMap(({ restored, copied }) => [
    ...restored
      .map((touch) => ({ ...touch, since: 0 }))
      .filter(({ file, order }) => changes.some((change) => change.file === file && change.order < order)),
    ...copied.flatMap(({ from, to, order }) => {
      const backup = copies.get(from);
      copies.set(to, { of: from, order });
      return backup?.of === to ? [{ file: to, order, since: backup.order }] : [];
    }),
  ]);
}

/** Files that the turn created and deleted again. */
function removedAgain(calls: readonly TurnCall[]): Turn["restores"] {
  const made = new Map<string, { readonly order: number; readonly isNew: boolean }>();
  return calls.flatMap(({ record, commands, reads, writes, removed }) => {
    for (const { file, order } of reads) if (!made.has(file)) made.set(file, { order, isNew: false });
    for (const { file, order } of writes) {
      const isNew =
        record.kind === "write" || commands.some((one) => one.order === order && one.redirectsTo.length > 0);
      if (!made.has(file)) made.set(file, { order, isNew });
    }
    return removed.flatMap(({ file, order }) => {
      const first = made.get(file);
      return first?.isNew === true && first.order < order ? [{ file, order, since: first.order - 1 }] : [];
    });
  });
}

/** Edits that a later edit of the same file undid. */
function takenBack(calls: readonly TurnCall[]): ReadonlySet<FileChange> {
  const open = new Map<string, { readonly replaced: Replacement; readonly touch: FileChange }[]>();
  const cancelled = new Set<FileChange>();
  for (const { record, writes } of calls) {
    const [touch] = writes;
    const [replaced, ...others] = record.kind === "edit" ? replacementsOf(record) : [];
    if (touch === undefined || replaced === undefined || others.length > 0) continue;
    const stack = open.get(touch.file) ?? [];
    const undone = stack.findLastIndex((one) => isUndone(one.replaced, replaced));
    const [first] = undone === -1 ? [] : stack.splice(undone, 1);
    if (first === undefined) stack.push({ replaced, touch });
    else cancelled.add(first.touch).add(touch);
    if (stack.length > MAX_OPEN) stack.shift();
    open.set(touch.file, stack);
  }
  return cancelled;
}

/** How many edits of a file are compared with a later one. */
const MAX_OPEN = 20;

/** How many characters of an edit are compared line by line. */
const MAX_COMPARED = 4000;

/** Whether a second edit leaves what stood there before the first, or takes out the prints that the first added. */
function isUndone(first: Replacement, second: Replacement): boolean {
  const isRestored =
    first.after.includes(second.before) &&
    first.after.replace(second.before, () => second.after).trim() === first.before.trim();
  const isLong = first.after.length > MAX_COMPARED || second.before.length > MAX_COMPARED;
  // Only a removal can take prints out.
  if (isRestored || isLong || second.after.length >= second.before.length) return isRestored;
  const back = { before: second.after, after: second.before };
  const prints = linesAdded(back);
  const isForDebugging = prints.length > 0 && prints.every((line) => PRINT.test(line));
  return isForDebugging && addsOnly(back) && addsOnly(first) && linesAdded(first).join("\n") === prints.join("\n");
}

/** Statements that only show a value. */
const PRINT =
  /^(?:print(?:f|ln|_r)?|e?println!|dbg!|console\.\w+|(?:fmt|log)\.F?[Pp]rint\w*|System\.(?:out|err)\.print\w*|Console\.Write\w*|Debug\.\w+|NSLog|puts|pp?|var_dump|dump|IO\.(?:puts|inspect))\b/;

function linesAdded({ before, after }: Replacement): readonly string[] {
  const old = linesOf(before);
  return linesOf(after).filter((line) => {
    const at = old.indexOf(line);
    if (at !== -1) old.splice(at, 1);
    return at === -1;
  });
}

function addsOnly({ before, after }: Replacement): boolean {
  return linesAdded({ before: after, after: before }).length === 0;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|~(?:\/|$)|[A-Za-z]:\/)/.test(path);
}

/** Four times what the longest of 585 recorded turns ran; the parser takes up to ten microseconds for a character. */
const MAX_CHARACTERS = 200_000;

/** The first call whose command line is read: the last ones count, since evidence has to come after a change. */
function firstAffordable(calls: readonly ToolCallRecord[]): number {
  let left = MAX_CHARACTERS;
  return calls.findLastIndex(({ command }) => (left -= affordablePart(command ?? "").length) < 0) + 1;
}

/** A failed command may have written before it failed; a failed tool has not. */
function mayHaveChanged({ record }: TurnCall): boolean {
  return !record.rejected && (record.kind === "shell" || record.hadError !== true);
}

type ReadCall = Pick<TurnCall, "commands" | "reads" | "writes" | "restored" | "removed" | "copied">;

function readToolCall(record: ToolCallRecord, order: number, place: ProjectPlace): ReadCall {
  const files = record.kind === "other" ? filesEdited(record) : record.files;
  const touches = touched(files, { order, folder: record.cwd ?? "." }, place);
  // The files that a shell call is reported to have changed, whatever its words.
  const isChange = record.kind !== "read" && record.kind !== "search" && record.kind !== "agent";
  const isRead = record.kind === "read";
  const [reads, writes] = [isRead ? touches : [], isChange ? touches : []];
  return { commands: [], reads, writes, restored: [], removed: [], copied: [] };
}

function readShellCall(record: ToolCallRecord, start: number, place: ProjectPlace): ReadCall {
  const base = record.cwd ?? ".";
  // PowerShell writes paths with backslashes, which escape in other shells.
  const isPowerShell = /powershell|pwsh/i.test(record.toolName);
  const line = isPowerShell ? (record.command ?? "").replaceAll("\\", "/") : (record.command ?? "");
  const commands = parseCommandLine(line).map((command): PlacedCommand => {
    const folder = command.folder === null ? null : joinPath(base, command.folder);
    return {
      ...command,
      folder,
      order: start + command.step,
      isInProject: folder === null || isInProject(folder, place),
    };
  });
  const effects = commands.map((command) => ({ command, ...fileEffects(command) }));
  // An agent reports every file that changed while a command ran: if the command only looks or tests, the person changed them.
  const reported = commands.length === 0 || commands.some(mayChangeFiles) ? record.files : [];
  const at = ({ order, folder }: PlacedCommand) => ({ order, folder: folder ?? base });
  return {
    commands,
    reads: effects.flatMap(({ command, reads }) => touched(reads, at(command), place)),
    // A file that is not in the command's words has no place in the line: it counts from the line's start.
    writes: [
      ...touched(reported, { order: start, folder: base }, place),
      ...effects.flatMap(({ command, writes }) => touched(writes, at(command), place)),
    ],
    restored: effects.flatMap(({ command, restores }) => touched(restores, at(command), place)),
    removed: effects.flatMap(({ command, removes }) => touched(removes, at(command), place)),
    copied: effects.flatMap(({ command, copies }) =>
      copies.flatMap(({ from, to }) => {
        const [source, target] = touched([from, to], at(command), place);
        return source && target ? [{ from: source.file, to: target.file, order: command.order }] : [];
      }),
    ),
  };
}

function touched(
  files: readonly string[],
  { order, folder }: { readonly order: number; readonly folder: string },
  place: ProjectPlace,
): FileTouch[] {
  return files.flatMap((path) => {
    const file = toProjectPath(path, place, folder) ?? absolutePath(path, place, folder);
    return [{ file, order }];
  });
}

/**
 * Touches that neither ask for tests nor make earlier ones stale: edits of comments, and formatters. A linter's fix
 * is one for a file that the turn changed by other means, and a change of any other file.
 */
function harmlessTouches(calls: readonly TurnCall[]): ReadonlySet<FileTouch> {
  const changed = new Set<string>();
  return new Set(
    calls.flatMap((call) => {
      const { record, commands, writes } = call;
      const isEditOfNothing = record.kind === "edit" && writes.every(({ file }) => isHarmless(record, file));
      const tidiers = record.kind === "shell" ? commands.filter(isTidier) : [];
      const isTidying = tidiers.length > 0 && commands.every((one) => isTidier(one) || !mayWrite(one));
      const isHarmlessFor = ({ file }: FileTouch) =>
        isEditOfNothing || (isTidying && (tidiers.every(isFormatter) || changed.has(file)));
      const harmless = writes.filter(isHarmlessFor);
      for (const touch of writes) if (!harmless.includes(touch)) changed.add(touch.file);
      return harmless;
    }),
  );
}

function mayWrite({ argv: [program = ""], redirectsTo }: PlacedCommand): boolean {
  return redirectsTo.length > 0 || /^(?:python|node|sed|perl|ruby|patch|cp|mv|tee)\d*$/.test(program);
}

/** The text that an edit removed and added. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** The text that the edits of a call replace, as far as its arguments show. */
export function replacementsOf({ inputData }: ToolCallRecord): readonly Replacement[] {
  const list: readonly unknown[] = Array.isArray(inputData["edits"]) ? inputData["edits"] : [inputData];
  return list.flatMap((edit) => {
    if (typeof edit !== "object" || edit === null) return [];
    const { old_string: before, new_string: after } = edit as Record<string, unknown>;
    return typeof before === "string" && typeof after === "string" ? [{ before, after }] : [];
  });
}

const HASH: ReadonlySet<Language> = new Set<Language>([
  "python",
  "ruby",
  "shell",
  "perl",
  "r",
  "elixir",
  "julia",
  "nim",
  "powershell",
]);
const DASHES: ReadonlySet<Language> = new Set<Language>(["lua", "haskell", "sql"]);
/** Languages in which white space at the beginning of a line means something. */
const INDENTED: ReadonlySet<Language> = new Set<Language>(["python", "haskell", "nim"]);

/** Whether an edit changes nothing but whole lines of comments, the number of a version, or white space that the language ignores. */
export function isHarmless(record: ToolCallRecord, file: string): boolean {
  const [language] = languagesOfFile(file);
  const replacements = replacementsOf(record);
  if (language === undefined || replacements.length === 0) return false;
  return replacements.every(({ before, after }) => codeOf(before, language) === codeOf(after, language));
}

/** A string that is a statement of its own. */
const DOCSTRING = /^[ \t]*[rR]?(?:"""[^]*?"""|'''[^]*?''')[ \t]*$/gm;

/** The number that is given to something whose whole name is "version". */
const VERSION = /^([ \t\w]*["']?\b_*version_*["']?(?:[ \t]*:[ \t]*\w+)?[ \t]*[:=]+[ \t]*["'])v?\d[\w.+-]*(?=["'])/gim;

function codeOf(text: string, language: Language): string {
  const comment = HASH.has(language)
    ? /^\s*#(?!!)/
    : DASHES.has(language)
      ? /^\s*--/
      : /^\s*(?:\/\/|\/\*|\*(?:\/|\s|$))/;
  const lines = (language === "python" ? text.replaceAll(DOCSTRING, "") : text)
    .replaceAll(VERSION, "$1")
    .split("\n")
    .filter((line) => !comment.test(line) && line.trim() !== "");
  return INDENTED.has(language)
    ? lines.map((line) => line.trimEnd()).join("\n")
    : lines
        .join("")
        .replaceAll(/\s+/g, "")
        .replaceAll(/,(?=[)\]}])/g, "");
}
