import { MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import { errorMessage } from "@agent-checkpoint/files";
import { type AgentName, type PastTurn, readTurns, recogniseTranscript } from "@agent-checkpoint/transcript";
import { findRuns, readTurn, type RepositoryFacts } from "@agent-checkpoint/heuristics";
import { isTestFile, languagesOfFile } from "@agent-checkpoint/reports";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import { type Judgement, judgeTurn } from "./judge-turn.ts";
import { createFactsFinder, createRulesFinder, type ProjectRules, type RulesOptions } from "./replay-rules.ts";
import { EMPTY_SUMMARY, mergeSummaries, type Summary, summariseTurn } from "./summary.ts";

export type FileResult =
  | {
      readonly kind: "replayed";
      readonly agent: AgentName;
      readonly project: string | null;
      readonly summary: Summary;
    }
  | { readonly kind: "skipped"; readonly why: "sub-agent" | "other-agent" | "not-a-transcript" }
  | { readonly kind: "failed"; readonly reason: string };

/** Which turns are wanted. */
export interface ReplayScope {
  readonly agent: AgentName | null;
  /** Turns that began before it are left out; in milliseconds. */
  readonly since: number | null;
}

/** A turn of a file with its number, from 1, and its judgement. */
export interface JudgedTurn {
  readonly number: number;
  readonly turn: PastTurn;
  readonly judgement: Judgement;
}

/** How the rules and facts of a project are found. */
export interface ProjectFinders {
  readonly rulesOf: (projectPath: string | null) => ProjectRules;
  readonly factsOf: (root: string) => Promise<RepositoryFacts | null>;
}

/** Judges the turns of a file one after the other, passes each to `onTurn`, and returns only their summary. */
export async function replayFile(
  { path, isNamed }: TranscriptFile,
  { agent, since }: ReplayScope,
  { rulesOf, factsOf }: ProjectFinders,
  onTurn: (judged: JudgedTurn) => void = () => {},
): Promise<FileResult> {
  const recognised = recogniseTranscript(path);
  if (recognised.status === "refused") {
    const isOther = !isNamed && (recognised.reason === "not-a-transcript" || recognised.reason === "empty");
    return isOther ? { kind: "skipped", why: "not-a-transcript" } : { kind: "failed", reason: recognised.reason };
  }
  const { agentName, sessionId, projectPath, isSubAgent } = recognised;
  if (agent !== null && agentName !== agent) return { kind: "skipped", why: "other-agent" };
  if (isSubAgent) return { kind: "skipped", why: "sub-agent" };
  const rules = rulesOf(projectPath);
  if (!rules.ok) return { kind: "failed", reason: `config: ${rules.detail}` };

  const repository = (await factsOf(rules.root)) ?? shownFacts(path, agentName, rules.root);
  const origin = { agent: agentName, session: sessionId ?? "", transcript: path, project: projectPath };
  let summary: Summary = EMPTY_SUMMARY;
  const turns = readTurns(path, agentName, { ownMessages: [MESSAGE_PREFIX] });
  let next = turns.next();
  for (let number = 1; next.done !== true; next = turns.next(), number += 1) {
    const turn = next.value;
    if (since !== null && (turn.timeline.prompt?.timestamp?.getTime() ?? since) < since) continue;
    const judgement = judgeTurn(turn, { agentName, rules, repository });
    onTurn({ number, turn, judgement });
    summary = mergeSummaries(summary, summariseTurn(turn, judgement, origin));
  }
  if (next.value.status === "refused") return { kind: "failed", reason: next.value.reason };
  const sessions = summary.turns > 0 ? 1 : 0;
  return { kind: "replayed", agent: agentName, project: projectPath, summary: { ...summary, sessions } };
}

/** What a session reveals about a repository that is not on this machine: the languages that it has tests in. */
function shownFacts(path: string, agentName: AgentName, projectPath: string): RepositoryFacts {
  const tested = new Set<string>();
  for (const { timeline } of readTurns(path, agentName)) {
    const turn = readTurn(timeline, { projectPath });
    for (const { kind, languages } of findRuns(turn, null))
      if (kind === "test") for (const language of languages) tested.add(language);
    for (const { file } of turn.calls.flatMap(({ reads, writes }) => [...reads, ...writes]))
      for (const language of languagesOfFile(file)) if (isTestFile(file, language)) tested.add(language);
  }
  const testFolders = Object.fromEntries([...tested].map((language) => [language, [""]]));
  return { projects: [], testFolders, commands: [] };
}

/** The options of a replay; they are sent to the threads. */
export interface ReplayOptions extends ReplayScope, RulesOptions {}

/** Creates the function that replays a file; whatever goes wrong with a file is its result. */
export function createFileReplayer(
  options: ReplayOptions,
  onTurn?: (file: TranscriptFile, judged: JudgedTurn) => void,
): (file: TranscriptFile) => Promise<FileResult> {
  const rulesOf = createRulesFinder(options);
  const factsOf = createFactsFinder(options);
  return async (file) => {
    try {
      return await replayFile(file, options, { rulesOf, factsOf }, (judged) => onTurn?.(file, judged));
    } catch (error) {
      return { kind: "failed", reason: `unexpected: ${errorMessage(error)}` };
    }
  };
}

/** One stop of a replayed file, as `checkpoint replay --stops` prints it. */
export interface StopLine {
  readonly file: string;
  /** The turn's number in the file, from 1. */
  readonly turn: number;
  /** Where the line of the turn's opening prompt starts, in bytes. */
  readonly promptOffset: number;
  readonly verdict: "block" | "pass";
  readonly reason: string;
  /** Ids of the actions that are missing. */
  readonly actions: readonly string[];
  /** Ids of the calls that count as evidence. */
  readonly evidence: readonly string[];
  readonly changedFiles: readonly string[];
  /** Why, in the words of the message. */
  readonly observations: readonly string[];
}

/** The line of a turn that ended with a stop; null for any other. */
export function stopLine(file: string, { number, turn, judgement }: JudgedTurn): StopLine | null {
  if (judgement.kind === "no-stop") return null;
  const at = { file, turn: number, promptOffset: turn.from };
  if (judgement.kind === "too-soon")
    return { ...at, verdict: "pass", reason: "timer", actions: [], evidence: [], changedFiles: [], observations: [] };
  const { result, changedFiles, reason, kind } = judgement;
  return {
    ...at,
    verdict: kind === "blocked" ? "block" : "pass",
    reason,
    actions: result.actions.map(({ id }) => id),
    evidence: result.evidence,
    changedFiles,
    observations: result.observations,
  };
}
