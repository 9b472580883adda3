import { dirname, isAbsolute } from "node:path";
import { categorize, TESTS_ACTION } from "@agent-checkpoint/categories";
import { TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import { findGitRoot } from "@agent-checkpoint/git";
import type { CheckpointContext } from "@agent-checkpoint/heuristics";
import type { MovedRule, Proof } from "@agent-checkpoint/store";
import {
  type AgentName,
  extractToolCallsCurrentTurn,
  type TurnHints,
  type TurnTimeline,
} from "@agent-checkpoint/transcript";
import { assembleCheckpoint, type Checkpoint, type CheckpointFacts } from "./assemble-checkpoint.ts";
import { findProject, listFiles, type Listing, type Project } from "./find-project.ts";
import { MESSAGE_PREFIX } from "./message/texts.ts";
import { repositoryFacts } from "./repository-facts.ts";
import { readPlan } from "./rules/read-configs.ts";
import { selectFiles, type SessionKnowledge, touchedPaths, writeTimes } from "./session/select-files.ts";
import { leftFiles, markFiles, type Marks, openFiles } from "./session/settled-files.ts";

/** A stop to be judged without the record of its session. */
export interface CheckpointRequest {
  readonly agentName: AgentName;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  readonly workingSlug: string | null;
  readonly hints?: TurnHints | undefined;
  /** When the turn stopped; by default now. */
  readonly now?: Date | undefined;
  /** The folder with the personal config. */
  readonly home?: string | null | undefined;
}

/** The message for a stop, and whether it is sent. */
export async function getCheckpointContent(request: CheckpointRequest): Promise<Checkpoint> {
  const { agentName: agent, transcriptPath, workingSlug, now = new Date() } = request;
  const project = await findProject(request.projectPath, request.home ?? null);
  const listing = listFiles(project);
  const timeline = await readTimeline(transcriptPath, agent, request.hints);
  const { home } = request;
  const turn = { agent, transcriptPath, timeline, workingSlug, promptAt: null, now, session: null, home };
  return assembleCheckpoint((await gatherFacts(project, turn, listing)).facts);
}

/** The turn that stops, as the transcript has it now. */
export async function readTimeline(
  transcriptPath: string | null,
  agent: AgentName,
  hints: TurnHints = {},
): Promise<TurnTimeline> {
  if (transcriptPath === null) return { hasData: false, toolCalls: [], reason: "missing" };
  const ownMessages = [MESSAGE_PREFIX, ...(hints.ownMessages ?? [])];
  return extractToolCallsCurrentTurn(transcriptPath, agent, { ...hints, ownMessages });
}

export interface StoppedTurn {
  readonly agent: AgentName;
  readonly transcriptPath: string | null;
  readonly timeline: TurnTimeline;
  readonly workingSlug: string | null;
  readonly promptAt: Date | null;
  readonly now: Date;
  /** What earlier stops of the session found out; null if there was none. */
  readonly session: SessionKnowledge | null;
  /** The files that are settled in the repository; none by default. */
  readonly settled?: readonly Proof[] | undefined;
  /** The rules that the program has moved; none by default. */
  readonly moved?: readonly MovedRule[] | undefined;
  /** Whether the configs on disk are no longer those of the turn's prompt; not so by default. */
  readonly haveRulesChanged?: boolean | undefined;
  /** The folder that facts of the repository are cached in; they are read anew by default. */
  readonly home?: string | null | undefined;
}

/** What a stop is judged on, and what was learnt about its session meanwhile. */
export interface GatheredFacts {
  readonly facts: CheckpointFacts;
  /** Files that the session's calls wrote, as far as this stop found out. */
  readonly touchedFiles: readonly string[];
  /** How far the transcript has been read for them. */
  readonly readUpTo: number | null;
  /** The marks of the files' contents; null if the stop is not remembered. */
  readonly marks: Marks | null;
  /** Files that an earlier stop asked about without effect, to be mentioned once more. */
  readonly left: readonly string[];
}

/** Gathers what a stop is judged on. */
export async function gatherFacts(
  { root, aliases, rules }: Project,
  turn: StoppedTurn,
  listing: Listing | null,
): Promise<GatheredFacts> {
  const { timeline, workingSlug, promptAt, now } = turn;
  const place = { projectPath: root, projectAliases: aliases };
  const { agent, moved, haveRulesChanged } = turn;
  const plan = readPlan(root, workingSlug);
  const known = { rules, timeline, place, workingSlug, plan, promptAt, now, agent, moved, haveRulesChanged };
  const listed = (await listing?.(() => touchedPaths({ ...turn, place }))) ?? NOT_ASKED;
  if (!rules.ok || listed.status === "unknown") {
    const { reason, detail } = listed.status === "unknown" ? listed : NOT_ASKED;
    return {
      facts: { ...known, changed: { ok: false, reason, detail } },
      touchedFiles: [],
      readUpTo: null,
      marks: null,
      left: [],
    };
  }
  const { scope } = rules.rules;
  const dated = scope === "session" ? { ...place, writtenAt: writeTimes(root, listed.files) } : place;
  const { files, touchedFiles, readUpTo } = selectFiles({ ...turn, changed: listed.files, scope, place: dated });
  const marks = rules.rules.unchanged === "deliver" ? null : markFiles(root, files);
  const settled = turn.settled ?? [];
  const open = marks === null ? files : openFiles(root, { files, marks, settled });
  const isUnchanged = files.length > 0 && open.length === 0;
  const facts = await withRepository(
    { ...known, place: dated, changed: { ok: true, files: open }, isUnchanged },
    turn.home ?? null,
  );
  return { facts, touchedFiles, readUpTo, marks, left: marks === null ? [] : leftFiles(open, files, settled) };
}

const NOT_ASKED = { status: "unknown", reason: "no-rules", detail: "git was not asked" } as const;

/** The message for changed files and a turn; the working slug's plan is read if the context does not bring it. */
export function buildCheckpointMessage(
  gitFiles: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): string {
  const { rules = TELECLAUDE, workingSlug, promptAt = null, now } = context;
  const plan = context.plan === undefined ? readPlan(context.projectPath, workingSlug) : context.plan;
  const loaded = { ok: true, rules, configFile: null } as const;
  const changed = { ok: true, files: gitFiles } as const;
  return assembleCheckpoint({ rules: loaded, changed, timeline, place: context, workingSlug, plan, promptAt, now })
    .message;
}

/** The facts of a stop, with those of the repository if a changed file asks for tests and the rules name no commands for them. */
export async function withRepository<Facts extends CheckpointFacts>(
  facts: Facts,
  home: string | null = null,
): Promise<Facts> {
  const { rules: loaded, repository, place, changed } = facts;
  const step = loaded.ok ? loaded.rules.actions.find(({ id }) => id === TESTS_ACTION)?.steps[0] : undefined;
  if (repository !== undefined || step === undefined || step.evidence.length > 0) return facts;
  if (!loaded.ok || !changed.ok || categorize(changed.files, loaded.rules).tested.length === 0) return facts;
  const files = changed.files.filter((file) => isAbsolute(file));
  const roots = [...new Set(files.map((file) => findGitRoot(dirname(file))))].filter((root) => root !== null);
  const elsewhere = await Promise.all(
    roots.slice(0, MAX_ROOTS).map(async (root) => ({ root, facts: await repositoryFacts(root, home) })),
  );
  return { ...facts, repository: { ...(await repositoryFacts(place.projectPath, home)), elsewhere } };
}

const MAX_ROOTS = 3;
