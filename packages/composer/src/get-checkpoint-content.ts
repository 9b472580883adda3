import { TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import type { CheckpointContext } from "@agent-checkpoint/heuristics";
import {
  type AgentName,
  extractToolCallsCurrentTurn,
  type TurnHints,
  type TurnTimeline,
} from "@agent-checkpoint/transcript";
import { assembleCheckpoint, type Checkpoint } from "./assemble-checkpoint.ts";
import { findProject, listFiles } from "./find-project.ts";
import { gatherFacts } from "./gather-facts.ts";
import { MESSAGE_PREFIX } from "./message/texts.ts";
import { readPlan } from "./rules/read-project-file.ts";

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

/** What is to be said at a stop, and whether. */
export async function getCheckpointContent(request: CheckpointRequest): Promise<Checkpoint> {
  const { agentName: agent, transcriptPath, workingSlug, now = new Date() } = request;
  const project = await findProject(request.projectPath, request.home ?? null);
  const listing = listFiles(project);
  const timeline = await readTimeline(transcriptPath, agent, request.hints);
  const turn = { agent, transcriptPath, timeline, workingSlug, promptAt: null, now, session: null };
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

/** The message for changed files and a turn; the working slug's plan is read if the context does not bring it. */
export function buildCheckpointMessage(
  gitFiles: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): string {
  const { rules = TELECLAUDE, configFile = null, workingSlug, promptAt = null, now } = context;
  const plan = context.plan === undefined ? readPlan(context.projectPath, workingSlug) : context.plan;
  const loaded = { ok: true, rules, configFile } as const;
  const changed = { ok: true, files: gitFiles } as const;
  return assembleCheckpoint({ rules: loaded, changed, timeline, place: context, workingSlug, plan, promptAt, now })
    .message;
}
