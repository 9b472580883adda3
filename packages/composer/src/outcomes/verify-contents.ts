import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { hashFiles } from "@agent-checkpoint/git";
import type { Session, Store, StoredStop, Verification } from "@agent-checkpoint/store";
import { readTurns, type ToolCallRecord } from "@agent-checkpoint/transcript";
import { readTurn } from "@agent-checkpoint/heuristics";
import { explainCheckpoint, type KnownFacts } from "../assemble-checkpoint.ts";
import { findProject, type Project } from "../find-project.ts";
import { withRepository } from "../get-checkpoint-content.ts";
import { MESSAGE_PREFIX } from "../message/texts.ts";
import { isWithin, placeOf } from "./settle-outcomes.ts";

/** The blob of a file that is gone. */
export const ABSENT = "absent";

/** How long turns are looked at again: a stop is recorded a moment after its turn was written. */
const MARGIN_MS = 60 * 60 * 1000;

/** How far back the first look goes: older content that still exists can be verified again. */
const FIRST_LOOK_MS = 14 * 24 * 60 * 60 * 1000;

/** The limit on files per turn. */
const MAX_FILES = 200;

/**
 * Records which contents the turns since the last time have verified, by git's own ids, and returns how many that are.
 *
 * A content is known only while the file still has it, and it was verified only if the file was last changed before the run
 * that counts had ended. This reads files and transcripts, so it runs beside the stops and never in one.
 */
export async function verifyContents(
  store: Store,
  { home, now }: { readonly home: string; readonly now: Date },
): Promise<number> {
  const last = await store.verifications.advance(now);
  const since = last === null ? now.getTime() - FIRST_LOOK_MS : Math.min(last.getTime(), now.getTime()) - MARGIN_MS;
  let count = 0;
  for (const session of await store.sessions.list()) {
    const { agent, sessionId, projectPath, transcriptPath, lastStopAt } = session;
    if (projectPath === null || transcriptPath === null || (lastStopAt?.getTime() ?? -1) < since) continue;
    const project = await findProject(projectPath, home);
    const root = ledgerOf(project);
    const stops = await store.stops.list({ agent, sessionId });
    const open = (await store.verifications.list(root)).filter(({ state }) => state === "open");
    const files = [...new Set([...filesOf(session, stops), ...open.map(({ file }) => file)])].slice(0, MAX_FILES);
    for (const turn of readTurns(transcriptPath, agent, { ownMessages: [MESSAGE_PREFIX] })) {
      const endedAt = turn.ending.at;
      if (endedAt === null || endedAt.getTime() < since) continue;
      const stop = stops.find((one) => isWithin(placeOf(one), turn)) ?? null;
      const found = await verificationsOf(project, { files, calls: turn.timeline.toolCalls, endedAt, home });
      const rows = found.map((one) => ({ ...one, agent, stopId: stop?.id ?? null }));
      await store.verifications.record(root, rows);
      count += rows.length;
    }
  }
  return count;
}

/** The name under which a repository's contents are recorded: the same for all of its work trees, and without links. */
export function ledgerOf({ repository }: Pick<Project, "repository">): string {
  try {
    return realpathSync(repository);
  } catch {
    return repository;
  }
}

/** The files of its own work tree that a session is known to have worked on, the latest first. */
function filesOf({ touchedFiles }: Session, stops: readonly StoredStop[]): readonly string[] {
  const named = stops.flatMap(({ trail }) => trail?.changedFiles ?? []);
  return [...new Set([...touchedFiles.toReversed(), ...named])].filter((file) => !isAbsolute(file));
}

/** The evidence for files: the calls of a turn, and when it ended. */
export interface VerifiedBy {
  readonly files: readonly string[];
  readonly calls: readonly ToolCallRecord[];
  readonly endedAt: Date;
  readonly home: string | null;
}

/** What these calls say about the current content of each file, for each rule that asks about it. */
export async function verificationsOf(
  project: Project,
  { files, calls, endedAt, home }: VerifiedBy,
): Promise<readonly Omit<Verification, "agent" | "stopId">[]> {
  const { root, aliases, rules } = project;
  const place = { projectPath: root, projectAliases: aliases };
  const changed = new Set(readTurn({ toolCalls: calls }, place).changes.map(({ file }) => file));
  const before = new Map<string, FileState>();
  for (const file of files) {
    const state = stateOf(resolve(root, file));
    // If no call of the turn removed a file, nothing shows when it went.
    const isOfTurn =
      state?.changedAt === null ? changed.has(file) : (state?.changedAt ?? Infinity) <= endedAt.getTime();
    if (state !== null && isOfTurn) before.set(file, state);
  }
  if (!rules.ok || before.size === 0) return [];
  const facts = await factsOf(project, { rules, files: [...before.keys()], calls, now: endedAt, home });
  const ends = new Map(calls.map(({ id, endedAt: end }) => [id, end]));
  const rows: Omit<Verification, "agent" | "stopId" | "blob">[] = [];
  for (const [file, state] of before) {
    const { actions } = explainCheckpoint({ ...facts, changed: { ok: true, files: [file] } });
    for (const { id: rule, status, askedBy, steps } of actions) {
      if (!askedBy.includes(file)) continue;
      const counted = steps.flatMap(({ candidates }) =>
        candidates.filter(({ verdict }) => verdict.status === "counted"),
      );
      const times = counted.map(({ call }) => ends.get(call.id)?.getTime() ?? Number.NaN);
      // All steps were run on this content if the first one was; a time that is not known is earlier than none.
      const ranAt = status === "done" && times.length > 0 ? Math.min(...times) : Number.NaN;
      const changedAt = state.changedAt ?? Number.NEGATIVE_INFINITY;
      if (changedAt <= ranAt)
        rows.push({ file, rule, state: "verified", at: new Date(ranAt), command: counted[0]?.call.what ?? null });
      else rows.push({ file, rule, state: "open", at: endedAt, command: null });
    }
  }
  return withBlobs(root, rows, before);
}

/** The facts of a turn that files are judged on one by one; every rule speaks. */
async function factsOf(
  { root, aliases }: Project,
  { rules, files, calls: toolCalls, now, home }: Turn,
): Promise<KnownFacts> {
  const timeline = { hasData: true, toolCalls, prompt: { timestamp: null }, isWhole: true } as const;
  const facts: KnownFacts = {
    rules: { ...rules, rules: { ...rules.rules, modes: {} } },
    changed: { ok: true, files },
    timeline: { ...timeline, toolCalls: [] },
    place: { projectPath: root, projectAliases: aliases },
    workingSlug: null,
    plan: null,
    promptAt: null,
    now,
  };
  // A turn without calls leaves everything open, so that what a run covers is judged by the facts of the repository.
  return { ...(await withRepository(facts, home)), timeline };
}

interface Turn extends Pick<VerifiedBy, "files" | "calls" | "home"> {
  readonly rules: KnownRules;
  readonly now: Date;
}

type KnownRules = Extract<Project["rules"], { readonly ok: true }>;

/** The state of a file without its content; a time of change cannot be set back. */
interface FileState {
  readonly mark: string;
  /** Null if the file is gone. */
  readonly changedAt: number | null;
}

/** A file of data, which no rule is likely to ask about. */
const MAX_BYTES = 32n * 1024n * 1024n;

/** Null for anything but a plain file: git identifies others by something else than content. */
function stateOf(path: string): FileState | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { mark: ABSENT, changedAt: null };
  if (!stats.isFile() || stats.size > MAX_BYTES) return null;
  return { mark: `${stats.size}:${stats.ctimeNs}:${stats.ino}`, changedAt: Number(stats.ctimeNs / 1_000_000n) };
}

/** Adds the contents of those files that have not changed since they were judged. */
async function withBlobs<Row extends { readonly file: string }>(
  root: string,
  rows: readonly Row[],
  before: ReadonlyMap<string, FileState>,
): Promise<readonly (Row & { readonly blob: string })[]> {
  const files = [...new Set(rows.map(({ file }) => file))];
  const there = files.filter((file) => before.get(file)?.changedAt != null);
  const blobs = await hashFiles(root, there);
  const isSame = (file: string) => stateOf(resolve(root, file))?.mark === before.get(file)?.mark;
  const contents = new Map(
    files.filter(isSame).map((file) => [file, there.includes(file) ? blobs.get(file) : ABSENT] as const),
  );
  return rows.flatMap((row) => {
    const blob = contents.get(row.file);
    return blob ? [{ ...row, blob }] : [];
  });
}
