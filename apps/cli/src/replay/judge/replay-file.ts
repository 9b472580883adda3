import { MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import { type AgentName, type PastTurn, readTurns, recogniseTranscript } from "@agent-checkpoint/transcript";
import type { RepositoryFacts } from "@agent-checkpoint/heuristics";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import { type Judgement, judgeTurn } from "./judge-turn.ts";
import type { ProjectRules } from "./replay-rules.ts";
import { EMPTY_SUMMARY, mergeSummaries, type Summary, summariseTurn } from "./summary.ts";

/** What came of one file. */
export type FileResult =
  | {
      readonly kind: "replayed";
      readonly agent: AgentName;
      readonly project: string | null;
      readonly rulesHash: string;
      readonly summary: Summary;
    }
  | { readonly kind: "skipped"; readonly why: "sub-agent" | "other-agent" | "not-a-transcript" }
  | { readonly kind: "failed"; readonly reason: string };

/** Which turns are wanted. */
export interface ReplayScope {
  readonly agent: AgentName | null;
  /** Turns that were opened before it are left out; in milliseconds. */
  readonly since: number | null;
}

/** A turn of a file with its number, from 1, and what the rules made of it. */
export interface JudgedTurn {
  readonly number: number;
  readonly turn: PastTurn;
  readonly judgement: Judgement;
}

/** How what a session is judged by is found. */
export interface ProjectFinders {
  readonly rulesOf: (projectPath: string | null) => ProjectRules;
  readonly factsOf: (root: string) => Promise<RepositoryFacts | null>;
}

/** Judges the turns of a file one after the other, shows each to `onTurn`, and returns only their summary. */
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
  if (!rules.ok) return { kind: "failed", reason: `config: ${rules.problem}` };

  const repository = await factsOf(rules.root);
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
  return {
    kind: "replayed",
    agent: agentName,
    project: projectPath,
    rulesHash: rules.hash,
    summary: { ...summary, sessions },
  };
}
