import { isAbsolute, relative, resolve } from "node:path";
import { commandShape, parseCommandLine } from "@agent-checkpoint/commands";
import type { Language, TestReport } from "@agent-checkpoint/reports";
import { recognise } from "@agent-checkpoint/repository";
import { readTurns, recogniseTranscript, type ToolCallRecord } from "@agent-checkpoint/transcript";

/** A command that printed test reports in past sessions. */
export interface LearnedCommand {
  /** The command up to its first option or path. */
  readonly command: string;
  /** The folder from the root that it ran in; empty for the root. */
  readonly folder: string;
  readonly runners: readonly string[];
  readonly languages: readonly Language[];
  readonly green: number;
  readonly red: number;
  readonly lastAt: Date | null;
}

/** How many words of a command are looked at to recognise it. */
const MAX_NAMED = 4;

/** What past sessions of a repository say about its test commands. */
export interface Learned {
  /** How many sessions there were. */
  readonly sessions: number;
  /** Those that were green most often first. */
  readonly commands: readonly LearnedCommand[];
}

/** How many sessions of a repository are among these transcripts. */
export function countSessions(transcripts: readonly string[], root: string): number {
  return transcripts.filter((path) => {
    const session = recogniseTranscript(path);
    return session.status === "read" && folderIn(root, session.projectPath) !== null;
  }).length;
}

/** Reads which commands printed test reports in the sessions of a repository. */
export function learnCommands(transcripts: readonly string[], root: string): Learned {
  const learned = new Map<string, LearnedCommand>();
  let sessions = 0;
  for (const path of transcripts) {
    const session = recogniseTranscript(path);
    if (session.status === "refused" || folderIn(root, session.projectPath) === null) continue;
    sessions += 1;
    for (const turn of readTurns(path, session.agentName)) {
      for (const call of turn.timeline.toolCalls) learnCall(learned, call, root, session.projectPath ?? root);
    }
  }
  const order = (one: LearnedCommand, other: LearnedCommand) =>
    other.green - one.green || (one.command < other.command ? -1 : 1);
  return { sessions, commands: [...learned.values()].toSorted(order) };
}

function learnCall(learned: Map<string, LearnedCommand>, call: ToolCallRecord, root: string, project: string): void {
  const reports = call.reports.filter(({ outcome }) => outcome !== "nothing-run");
  const named = call.command === null || reports.length === 0 ? null : nameCommand(call.command);
  const folder = named === null ? null : folderIn(root, resolve(call.cwd ?? project, named.folder));
  if (named === null || folder === null) return;
  const key = `${folder}\0${named.command}`;
  learned.set(
    key,
    addReports(learned.get(key) ?? { ...NOTHING, command: named.command, folder }, reports, call.timestamp),
  );
}

const NOTHING = { runners: [], languages: [], green: 0, red: 0, lastAt: null };

function addReports(before: LearnedCommand, reports: readonly TestReport[], at: Date | null): LearnedCommand {
  const isRed = reports.some(({ outcome }) => outcome === "red");
  return {
    ...before,
    runners: [...new Set([...before.runners, ...reports.map(({ runner }) => runner)])],
    languages: [...new Set([...before.languages, ...reports.flatMap(({ languages }) => languages)])],
    green: before.green + (isRed ? 0 : 1),
    red: before.red + (isRed ? 1 : 0),
    lastAt: at ?? before.lastAt,
  };
}

/** Programs around a run that are not the run itself. */
const AROUND: ReadonlySet<string> = new Set(
  "cd tail head grep rg tee cat echo sed awk sleep export set true wc sort".split(" "),
);

/**
 * The command of a line that ran the tests, as it was typed up to its first option or path, and its folder.
 * If there are several commands, the last one that looks like tests is taken: a formatter or a commit may precede or follow it.
 */
function nameCommand(line: string): { readonly command: string; readonly folder: string } | null {
  const commands = parseCommandLine(line).filter(({ argv: [program = ""] }) => program !== "" && !AROUND.has(program));
  const isTest = (words: string) => recognise(words)?.kind === "test" || /\btests?\b/i.test(words);
  const own =
    commands.length === 1 ? commands[0] : commands.findLast(({ argv }) => isTest(argv.slice(0, MAX_NAMED).join(" ")));
  const [program, ...rest] = own?.argv ?? [];
  if (program === undefined || own?.folder === null || own?.folder === undefined) return null;
  const end = rest.findIndex((word) => !/^[\w:@.+][\w:@.+-]*$/.test(word) || /\.\w+$/.test(word));
  const words = rest.slice(0, end === -1 ? rest.length : end);
  const command = [startOf(line, program), ...words].join(" ");
  return /^[\w@./:+= -]{1,100}$/.test(command) ? { command, folder: own.folder } : null;
}

/** A program as it was typed, with what starts it: `uv run pytest`. What starts it with a value of its own is left out. */
function startOf(line: string, program: string): string {
  const isProgram = (word: string) => word === program || word.endsWith(`/${program}`);
  const parts = line.split(/&&|\|\||[;|\n]/).map((part) =>
    part
      .trim()
      .split(/\s+/)
      .filter((word) => !/^\w+=/.test(word)),
  );
  const typed = parts.findLast((words) => words.some(isProgram)) ?? [program];
  const start = typed.slice(0, typed.findIndex(isProgram) + 1).join(" ");
  return commandShape(start) === start ? start : program;
}

/** A folder from the root; null if it lies elsewhere. */
function folderIn(root: string, folder: string | null): string | null {
  const inner = folder === null ? ".." : relative(root, folder);
  return inner.startsWith("..") || isAbsolute(inner) ? null : inner;
}
