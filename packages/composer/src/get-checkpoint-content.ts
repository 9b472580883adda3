import { describeProblem, type Rules } from "@agent-checkpoint/categories";
import type { CheckpointResult } from "@agent-checkpoint/heuristics";
import { judgeWithFacts } from "./judge-with-facts.ts";
import {
  type AgentName,
  extractToolCallsCurrentTurnSync,
  type TurnHints,
  type TurnTimeline,
} from "@agent-checkpoint/transcript";
import { checkpointContext } from "./checkpoint-context.ts";
import { findGitRoot } from "./git/find-git-root.ts";
import { type ChangedFiles, listChangedFiles } from "./git/list-changed-files.ts";
import { decideDelivery, type DeliveryReason } from "./message/decide-delivery.ts";
import { renderConfigProblem } from "./message/render-config-problem.ts";
import { renderMessage } from "./message/render-message.ts";
import { GENERIC_MESSAGE, MESSAGE_PREFIX } from "./message/texts.ts";
import { findRules } from "./rules/find-rules.ts";
import type { LoadedRules } from "./rules/load-rules.ts";
import { changedAfter } from "./session/file-signature.ts";
import { selectFiles } from "./session/select-files.ts";
import { type SessionKnowledge, UNKNOWN_SESSION } from "./session/session-knowledge.ts";

/** What every route asks: what is to be said at this stop? */
export interface CheckpointRequest {
  readonly agentName: AgentName;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  readonly workingSlug: string | null;
  readonly hints?: TurnHints | undefined;
  /** When the turn stopped; the present where it is not given. */
  readonly now?: Date | undefined;
  /** When the turn's opening prompt was sent, where the caller knows better than the transcript. */
  readonly promptAt?: Date | null | undefined;
  /** The folder with the personal config. */
  readonly home?: string | null | undefined;
  /** What is known of the session from earlier stops. */
  readonly session?: SessionKnowledge | undefined;
  /** The turn, where the caller has read it already. */
  readonly timeline?: TurnTimeline | undefined;
  /** The rules, where the caller has loaded them already. */
  readonly loadedRules?: LoadedRules | undefined;
  readonly gitTimeoutMs?: number | undefined;
  /** What git says is uncommitted, where the caller has asked already. */
  readonly changing?: Promise<ChangedFiles> | null | undefined;
  /** A sentence that stands first among the observations of a message that goes out anyway. */
  readonly remark?: string | null | undefined;
}

/** What is to be said at a stop, and whether. */
export interface CheckpointContent {
  readonly message: string;
  readonly deliver: boolean;
  readonly reason: DeliveryReason;
  /** The verdict; null where there was none to be had. */
  readonly result: CheckpointResult | null;
  readonly timeline: TurnTimeline;
  /** The files that the verdict is about, relative to the repository; null where they are not known. */
  readonly changedFiles: readonly string[] | null;
  /** Files that the session's calls wrote, as far as this stop found out. */
  readonly touchedFiles: readonly string[];
  /** How far the transcript has been read for them. */
  readonly readUpTo: number | null;
  /** What went wrong on the way, for the log. */
  readonly problem: string | null;
}

/** The one entry point of every route: changed files, the turn's timeline, verdict, text. */
export async function getCheckpointContent(request: CheckpointRequest): Promise<CheckpointContent> {
  const root = findGitRoot(request.projectPath) ?? request.projectPath;
  const loaded = request.loadedRules ?? (await findRules(root, request.home ?? null));
  // Git runs beside us while the transcript is read.
  const changing = loaded.ok
    ? (request.changing ??
      listChangedFiles(root, { untracked: loaded.rules.untracked, timeoutMs: request.gitTimeoutMs }))
    : null;
  const timeline = request.timeline ?? readTimeline(request);
  const unjudged = { result: null, timeline, changedFiles: null, touchedFiles: [], readUpTo: null } as const;
  if (!loaded.ok || changing === null) {
    const problems = loaded.ok ? [] : loaded.problems;
    const problem = problems.map(describeProblem).join(" ");
    return { ...unjudged, message: renderConfigProblem(problems), deliver: true, reason: "config-problem", problem };
  }
  const changed = await changing;
  if (changed.status === "unknown") {
    const deliver = loaded.rules.withoutGit === "deliver";
    return {
      ...unjudged,
      message: GENERIC_MESSAGE,
      deliver,
      reason: "git-unknown",
      problem: `${changed.reason}: ${changed.detail}`,
    };
  }
  return judge(request, { root, files: changed.files, timeline, rules: loaded.rules, configFile: loaded.configFile });
}

interface Known {
  readonly root: string;
  readonly files: readonly string[];
  readonly timeline: TurnTimeline;
  readonly rules: Rules;
  readonly configFile: string | null;
}

async function judge(
  request: CheckpointRequest,
  { root, files: changed, timeline, rules, configFile }: Known,
): Promise<CheckpointContent> {
  const session = request.session ?? UNKNOWN_SESSION;
  const { agentName, transcriptPath } = request;
  const context = checkpointContext(root, { ...request, rules, configFile });
  const { files, touchedFiles, readUpTo } = selectFiles({
    changed,
    scope: rules.scope,
    place: context,
    timeline,
    session,
    agentName,
    transcriptPath,
  });
  const result = await judgeWithFacts(files, timeline, context);
  const delivery = isUnchanged(root, files, session, rules)
    ? ({ deliver: false, reason: "unchanged" } as const)
    : decideDelivery(result, rules);
  return {
    ...delivery,
    message: renderMessage(
      request.remark == null ? result : { ...result, observations: [request.remark, ...result.observations] },
      rules,
    ),
    result,
    timeline,
    changedFiles: files,
    touchedFiles,
    readUpTo,
    problem: problemOf(timeline),
  };
}

/** Whether none of the files changed since the session's last stop, under rules that are silent then. */
function isUnchanged(root: string, files: readonly string[], { lastStopAt }: SessionKnowledge, rules: Rules): boolean {
  if (rules.unchanged === "deliver" || lastStopAt === null || files.length === 0) return false;
  return !files.some((file) => changedAfter(root, file, lastStopAt));
}

function readTimeline({ agentName, transcriptPath, hints }: CheckpointRequest): TurnTimeline {
  if (transcriptPath === null) return { hasData: false, toolCalls: [], reason: "missing" };
  return extractToolCallsCurrentTurnSync(transcriptPath, agentName, {
    ...hints,
    ownMessages: [MESSAGE_PREFIX, ...(hints?.ownMessages ?? [])],
  });
}

function problemOf(timeline: TurnTimeline): string | null {
  return timeline.hasData ? null : `transcript ${timeline.reason}`;
}
