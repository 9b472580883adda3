import { isAbsolute } from "node:path";
import { listChangedFiles, runGit } from "@agent-checkpoint/git";
import type { Outcome, Session, Store, StoredStop } from "@agent-checkpoint/store";
import {
  type PastTurn,
  readAfterStop,
  readTurnAtStop,
  readTurns,
  type TranscriptRange,
} from "@agent-checkpoint/transcript";
import { findProject, type Project } from "../find-project.ts";
import { MESSAGE_PREFIX } from "../message/texts.ts";
import {
  type Fired,
  firedAt,
  type FollowUp,
  isStillOpen,
  judgeSaid,
  type JudgedStop,
  type Judgement,
  known,
  unknown,
  type UnknownWhy,
  wasSaid,
} from "./judge-outcomes.ts";

/** Where and when outcomes are settled. */
export interface Settling {
  readonly home: string;
  readonly now: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A session that has been silent for this long is over. */
const OVER_MS = DAY_MS;

/** Work that lies uncommitted for so long is not gone on with. */
const LEFT_MS = 7 * DAY_MS;

/**
 * Records what became of everything that rules have found since the last time, as far as it is final, and returns how
 * many stops that were.
 *
 * It reads transcripts while they are there, each once, so it runs beside the stops and never in one.
 */
export async function settleOutcomes(store: Store, { home, now }: Settling): Promise<number> {
  const pending = await store.stops.list({ isUnsettled: true });
  const projects = new Map<string, Promise<Project>>();
  const projectOf = (path: string): Promise<Project> => {
    const found = projects.get(path) ?? findProject(path, home);
    projects.set(path, found);
    return found;
  };
  let settled = 0;
  for (const group of Map.groupBy(pending, keyOf).values()) {
    const [{ agent, sessionId } = { agent: null, sessionId: "" }] = group;
    if (agent === null) continue;
    const [session = null] = await store.sessions.list({ agent, sessionId });
    const rows = await settleGroup(group, { session, projectOf, home, now });
    await store.outcomes.record(rows);
    for (const stop of group)
      if (stop.repository !== null && wasLeft(stop, rows)) await store.proofs.leave(stop.repository, stop.at);
    settled += new Set(rows.map(({ stopId }) => stopId)).size;
  }
  return settled;
}

/** Whether nothing that a block asked for was even tried; a reason given for that does not answer the next turn's question. */
function wasLeft({ id, decision }: StoredStop, rows: readonly Outcome[]): boolean {
  const said = rows.filter(({ stopId, kind, mode }) => stopId === id && kind === "action" && mode === "require");
  return (
    decision === "block" &&
    said.length > 0 &&
    said.every(({ outcome }) => outcome === "ignored" || outcome === "waived")
  );
}

/** The stops of one session in one transcript. */
function keyOf({ agent, sessionId, trail }: StoredStop): string {
  return JSON.stringify([agent, sessionId, trail?.transcriptPath ?? null]);
}

interface Place extends Settling {
  readonly session: Session | null;
  readonly projectOf: (path: string) => Promise<Project>;
}

async function settleGroup(group: readonly StoredStop[], place: Place): Promise<readonly Outcome[]> {
  const turns = readFollowing(group);
  const rows: Outcome[] = [];
  const seen = new Set<string>();
  for (const stop of group.toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.id - other.id)) {
    const judged = await judgedStop(stop, place);
    const own = turns.get(stop.id) ?? null;
    const fired = firedAt(stop);
    const said = await settleSaid(fired.filter(wasSaid), { judged, own, place });
    const unsaid: (Judgement | null)[] = [];
    for (const one of fired.filter((each) => !wasSaid(each))) {
      const key = JSON.stringify([one.rule, one.mode, stop.trail?.changedFiles ?? null]);
      unsaid.push(seen.has(key) ? unknown(one, "repeated") : await settleUnsaid(one, { judged, own, place }));
      seen.add(key);
    }
    // A stop is settled as a whole, so that its rows are written once.
    if (said === null || unsaid.includes(null)) continue;
    const cost = stop.decision === "block" && own !== null ? costOf(stop, own) : { seconds: null, tokens: null };
    const judgements = [...said, ...unsaid.filter((one) => one !== null)];
    const { id: stopId, agent, at } = stop;
    const repository = stop.repository ?? stop.projectPath;
    for (const one of judgements.length === 0 ? [NOTHING_ASKED] : judgements)
      rows.push({ ...one, ...cost, stopId, agent, repository, at, judgedAt: place.now });
  }
  return rows;
}

/** The row of a block that asked for nothing: it has a cost too. */
const NOTHING_ASKED: Judgement = {
  rule: "",
  kind: "message",
  mode: "require",
  outcome: "unknown",
  why: "nothing-asked",
  note: null,
};

/** The stop's own turn, and the turns after it in the same transcript. */
interface Following {
  readonly path: string;
  readonly turn: PastTurn;
  readonly later: PastTurn[];
}

/** How many later turns are searched for actions that happened unasked. */
const MAX_LATER = 10;

function readFollowing(group: readonly StoredStop[]): ReadonlyMap<number, Following> {
  const found = new Map<number, Following>();
  const [first] = group;
  const path = first?.trail?.transcriptPath ?? null;
  if (first === undefined || path === null) return found;
  const needsLater = group.some((stop) => firedAt(stop).some((one) => !wasSaid(one)));
  const places = new Map(group.map((stop) => [stop.id, placeOf(stop)]));
  const last = Math.max(...[...places.values()].map((at) => at ?? -1));
  for (const turn of readTurns(path, first.agent, { ownMessages: [MESSAGE_PREFIX] })) {
    for (const following of found.values()) if (following.later.length < MAX_LATER) following.later.push(turn);
    for (const [id, at] of places) if (isWithin(at, turn)) found.set(id, { path, turn, later: [] });
    // One turn more shows that the stop's own is over.
    if (!needsLater && turn.from > last) break;
  }
  return found;
}

/** An offset inside the turn; null if the stop keeps none. */
export function placeOf({ trail }: StoredStop): number | null {
  if (trail?.readUpTo == null) return null;
  return trail.turnStart ?? trail.readUpTo - 1;
}

export function isWithin(offset: number | null, { from, to }: TranscriptRange): boolean {
  return offset !== null && offset >= from && offset < to;
}

async function judgedStop(stop: StoredStop, { projectOf, home }: Place): Promise<JudgedStop> {
  const { projectPath } = stop;
  if (projectPath === null)
    return {
      stop,
      rules: { ok: false, problems: [], configFile: null },
      place: { projectPath: "", projectAliases: [] },
      home,
    };
  const { root, aliases, rules } = await projectOf(projectPath);
  return { stop, rules, place: { projectPath: root, projectAliases: [...aliases, projectPath] }, home };
}

interface Case {
  readonly judged: JudgedStop;
  readonly own: Following | null;
  readonly place: Place;
}

/** The outcomes of what a block said; null while they may still change. */
async function settleSaid(said: readonly Fired[], { judged, own, place }: Case): Promise<readonly Judgement[] | null> {
  const { stop } = judged;
  if (stop.decision === "pass") return [];
  if (own === null) return said.map((one) => unknown(one, lostBecause(stop)));
  const followUp = followUpOf(stop, own);
  if (followUp === null) return said.map((one) => unknown(one, "transcript-gone"));
  const isOver = isTurnOver(stop, own, place.session);
  const isDead = place.now.getTime() - stop.at.getTime() > OVER_MS;
  const judgements = await judgeSaid(said, judged, { ...followUp, isCutShort: followUp.isCutShort || !isOver });
  const isDone = judgements.length > 0 && judgements.every(({ outcome }) => outcome === "done");
  const isFinal = isOver || isDead || isDone;
  return isFinal ? judgements : null;
}

function lostBecause({ trail }: StoredStop): UnknownWhy {
  return trail?.transcriptPath == null || trail.readUpTo === null ? "no-trail" : "transcript-gone";
}

function followUpOf(stop: StoredStop, { path, turn }: Following): FollowUp | null {
  const readUpTo = stop.trail?.readUpTo ?? turn.from;
  const before = readTurnAtStop(path, stop.agent, { from: turn.from, to: readUpTo });
  if (before.status === "refused") return null;
  const { replies } = readAfterStop(path, stop.agent, { from: readUpTo, to: turn.to });
  return {
    before: before.toolCalls,
    whole: turn.timeline.toolCalls,
    said: [before.promptText ?? "", ...replies],
    isCutShort: turn.ending.kind === "interrupted" || turn.ending.kind === "failed",
  };
}

/** Whether the turn has ended: the session has stopped or been spoken to since, here or in the transcript. */
function isTurnOver({ at }: StoredStop, { later }: Following, session: Session | null): boolean {
  const seen = Math.max(session?.lastStopAt?.getTime() ?? 0, session?.lastMessageSentAt?.getTime() ?? 0);
  return later.length > 0 || seen > at.getTime();
}

/** The cost between a block and the end of its turn. */
function costOf(stop: StoredStop, { path, turn }: Following): Pick<Outcome, "seconds" | "tokens"> {
  const ended = turn.ending.at?.getTime() ?? null;
  const seconds = ended === null || ended < stop.at.getTime() ? null : Math.round((ended - stop.at.getTime()) / 1000);
  const { tokens } = readAfterStop(path, stop.agent, { from: stop.trail?.readUpTo ?? turn.from, to: turn.to });
  return { seconds, tokens };
}

/**
 * The outcome of something that a rule found in silence; null while it may still change.
 *
 * It was right if what it would have asked for came by itself, or if the work was committed or left without it. It would
 * have been noise if the files went back.
 */
async function settleUnsaid(fired: Fired, { judged, own, place }: Case): Promise<Judgement | null> {
  const { stop } = judged;
  if (own === null) return unknown(fired, lostBecause(stop));
  const first = followUpOf(stop, own);
  if (first === null) return unknown(fired, "transcript-gone");
  const committedAt = await commitAfter(judged);
  const calls = [...first.whole];
  for (const turn of [own.turn, ...own.later]) {
    const began = turn.timeline.prompt?.timestamp?.getTime() ?? 0;
    if (turn !== own.turn && committedAt !== null && committedAt < began) break;
    if (turn !== own.turn) calls.push(...turn.timeline.toolCalls);
    // Another array each time: what is read of one is remembered by it.
    const isOpen = await isStillOpen(fired, judged, { before: first.before, whole: [...calls] });
    if (isOpen === null) return unknown(fired, "rules-changed");
    if (!isOpen) return known(fired, "done");
  }
  if (committedAt !== null) return known(fired, "escaped");
  const isChanged = await isStillChanged(judged);
  if (isChanged === false) return known(fired, "moot");
  if (place.now.getTime() - stop.at.getTime() <= LEFT_MS) return null;
  return isChanged === null ? unknown(fired, "repository-gone") : known(fired, "escaped");
}

/** When the files of a stop were first committed after it; null if they were not. */
async function commitAfter({ stop, place }: JudgedStop): Promise<number | null> {
  const files = stop.trail?.changedFiles?.filter((file) => !isAbsolute(file)).slice(0, MAX_FILES) ?? [];
  if (files.length === 0 || place.projectPath === "") return null;
  const since = Math.floor(stop.at.getTime() / 1000);
  const log = ["log", "--reverse", `--since=${since}`, "--format=%ct", "--", ...files];
  const result = await runGit(log, { cwd: place.projectPath, timeoutMs: GIT_TIMEOUT_MS });
  const times = result.ok
    ? result.stdout
        .toString("utf8")
        .split("\n")
        .map(Number)
        .filter((at) => at >= since)
    : [];
  return times[0] === undefined || times[0] === 0 ? null : times[0] * 1000;
}

/** Whether a file of a stop is still uncommitted; null if git cannot be asked. */
async function isStillChanged({ stop, place }: JudgedStop): Promise<boolean | null> {
  const listed = await listChangedFiles(place.projectPath, { untracked: true });
  if (listed.status === "unknown") return null;
  const changed = new Set(listed.files);
  return stop.trail?.changedFiles?.some((file) => changed.has(file)) === true;
}

const MAX_FILES = 50;
const GIT_TIMEOUT_MS = 10_000;
