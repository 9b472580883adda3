import { existsSync, lstatSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { matchesAny, type Scope } from "@agent-checkpoint/categories";
import { mayWriteUnnamed, type ProjectPlace, readTurn, type Turn } from "@agent-checkpoint/heuristics";
import { redact, REDACTED } from "@agent-checkpoint/redaction";
import { type AgentName, extractToolCallsBetween, type TurnTimeline } from "@agent-checkpoint/transcript";
import { fileSignature } from "./baseline.ts";

/** What earlier stops of a session found out, to tell its own changes from others. */
export interface SessionKnowledge {
  /** Files that its calls are known to have written, relative to the root. */
  readonly touchedFiles: readonly string[];
  /** How far into the transcript those calls were read. */
  readonly readUpTo: number | null;
  /** The files that were dirty at its first prompt, each with a signature of its state. */
  readonly baseline: Readonly<Record<string, string>> | null;
  /** When its first prompt was seen, and its last. */
  readonly firstSeenAt: Date;
  readonly lastMessageSentAt: Date | null;
}

/** The changed files that a checkpoint is about, and what was learnt about the session on the way. */
export interface SelectedFiles {
  readonly files: readonly string[];
  /** Files that the session's calls are now known to have written. */
  readonly touchedFiles: readonly string[];
  /** How far the transcript has now been read. */
  readonly readUpTo: number | null;
}

export interface SelectInput {
  readonly changed: readonly string[];
  readonly scope: Scope;
  readonly place: ProjectPlace;
  readonly timeline: TurnTimeline;
  /** Null for a session of which nothing is known. */
  readonly session: SessionKnowledge | null;
  readonly agent: AgentName;
  readonly transcriptPath: string | null;
}

/**
 * The uncommitted files that the scope covers.
 *
 * A session's own files are those its calls wrote; where no transcript tells, those that differ from its first prompt.
 * Files of worktrees and other repositories that the turn works in have their whole path.
 */
export function selectFiles(input: SelectInput): SelectedFiles {
  const { changed, scope, place, timeline, session } = input;
  if (scope === "tree") return { files: changed, touchedFiles: [], readUpTo: null };
  if (!timeline.hasData || !timeline.isWhole || timeline.prompt === null) {
    const baseline = session?.baseline ?? null;
    const nameOf = keptNames(Object.keys(baseline ?? {}));
    const files =
      baseline === null
        ? changed
        : changed.filter((file) => baseline[nameOf(file)] !== fileSignature(place.projectPath, file));
    return { files, touchedFiles: [], readUpTo: null };
  }
  const written = writesOf(readTurn(timeline, place));
  const unseen = writesOf(unseenCalls(input, timeline.prompt.offset));
  const wasOlder = isOlder(input);
  const touchedFiles = [...new Set([...written, ...unseen.filter((file) => !wasOlder(file))])];
  const own = ownership([...(session?.touchedFiles ?? []), ...touchedFiles]);
  const elsewhere = new Set(written.filter((file) => isAbsolute(file) && existsSync(file)));
  return { files: [...changed.filter(own), ...elsewhere], touchedFiles, readUpTo: timeline.size };
}

/**
 * The only paths that can be a session's own, known before git is asked; null if that is not known: a call may have written
 * files that it does not name.
 */
export function touchedPaths(input: Omit<SelectInput, "changed" | "scope">): readonly string[] | null {
  const { timeline, place, session } = input;
  if (!timeline.hasData || !timeline.isWhole || timeline.prompt === null) return null;
  const turns = [readTurn(timeline, place), unseenCalls(input, timeline.prompt.offset)];
  if (turns.some((turn) => turn !== null && mayWriteUnnamed(turn))) return null;
  const names = new Set([...(session?.touchedFiles ?? []), ...turns.flatMap(writesOf)]);
  const paths = [...names].filter((name) => !isAbsolute(name));
  const isNoPath = (name: string) => GLOB.test(name) || name.includes(REDACTED);
  return paths.length > MAX_PATHS || paths.some(isNoPath) ? null : paths;
}

/** A command line has a length. */
const MAX_PATHS = 200;

function writesOf(turn: Turn | null): readonly string[] {
  return turn?.changes.map(({ file }) => file) ?? [];
}

/** More files than this were written by a generator, or not by this session. */
const MAX_FILES = 500;

/** When changed files were last written; a program can set the time of modification back, but not the time of change. */
export function writeTimes(root: string, files: readonly string[]): ReadonlyMap<string, number> {
  if (files.length > MAX_FILES) return new Map();
  return new Map(
    files.flatMap((file) => {
      const stats = lstatSync(resolve(root, file), { throwIfNoEntry: false });
      return stats === undefined ? [] : [[file, stats.ctimeMs]];
    }),
  );
}

/** The calls between the last stop that was judged and this turn: short and interrupted turns, and the work after a block. */
function unseenCalls(
  { session, transcriptPath, agent, place }: Pick<SelectInput, "session" | "transcriptPath" | "agent" | "place">,
  turnStart: number,
): Turn | null {
  const from = session === null ? null : (session.readUpTo ?? unjudgedFrom(session, turnStart));
  if (from === null || transcriptPath === null || from >= turnStart) return null;
  const toolCalls = extractToolCallsBetween(transcriptPath, agent, { from, to: turnStart });
  return readTurn({ toolCalls }, place);
}

const MAX_UNJUDGED_BYTES = 4_000_000;

/** Where the turns of a session begin of which none was judged yet; null if this one is the first that was seen. */
function unjudgedFrom(session: SessionKnowledge, turnStart: number): number | null {
  const { firstSeenAt, lastMessageSentAt, baseline } = session;
  const isFirst = lastMessageSentAt === null || lastMessageSentAt.getTime() <= firstSeenAt.getTime();
  // Without a baseline, what the session wrote before it was first seen cannot be told apart.
  return isFirst || baseline === null ? null : Math.max(0, turnStart - MAX_UNJUDGED_BYTES);
}

/** A file that was dirty when the session was first seen, and is as it was then, was written before. */
function isOlder({ session, place }: Pick<SelectInput, "session" | "place">): (file: string) => boolean {
  const baseline = session?.readUpTo === null ? session.baseline : null;
  return (file) => baseline !== null && baseline[file] === fileSignature(place.projectPath, file);
}

const GLOB = /[*?[{]/;

/** A name may be a folder (`rm -r src`) or a glob (`rm src/*.py`). */
function ownership(touched: readonly string[]): (file: string) => boolean {
  const names = new Set(touched);
  const globs = touched.filter((name) => GLOB.test(name));
  const nameOf = keptNames(touched);
  return (file) =>
    names.has(file) ||
    names.has(nameOf(file)) ||
    parentsOf(file).some((folder) => names.has(folder)) ||
    matchesAny(file, globs);
}

/** The name of a file in the record, which holds no secrets; few file names contain one. */
function keptNames(kept: readonly string[]): (file: string) => string {
  return kept.some((name) => name.includes(REDACTED)) ? redact : (file) => file;
}

function parentsOf(file: string): readonly string[] {
  const parents: string[] = [];
  for (let at = file.indexOf("/"); at !== -1; at = file.indexOf("/", at + 1)) parents.push(file.slice(0, at));
  return parents;
}
