import type { ConfigProblem, Scope } from "@agent-checkpoint/categories";
import { explainTurn, type Explanation } from "@agent-checkpoint/heuristics";
import type { AgentName, TurnTimeline } from "@agent-checkpoint/transcript";
import { checkpointContext } from "./checkpoint-context.ts";
import { findGitRoot } from "./git/find-git-root.ts";
import { withFacts } from "./judge-with-facts.ts";
import { loadRules } from "./rules/load-rules.ts";

/** A stop of the past: what it was judged on. */
export interface PastStop {
  readonly agentName: AgentName;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly changedFiles: readonly string[];
  readonly timeline: TurnTimeline;
  readonly workingSlug: string | null;
  readonly promptAt: Date | null;
  readonly stoppedAt: Date;
  /** The folder with the personal config. */
  readonly home: string | null;
}

/** How the verdict came about, or what is wrong with the rules that it would follow. */
export type ExplainedStop =
  | { readonly status: "explained"; readonly explanation: Explanation; readonly scope: Scope }
  | { readonly status: "config-problem"; readonly problems: readonly ConfigProblem[] };

/** Explains a stop of the past by the rules of today. */
export async function explainCheckpoint(stop: PastStop): Promise<ExplainedStop> {
  const root = findGitRoot(stop.projectPath) ?? stop.projectPath;
  const loaded = loadRules(root, stop.home);
  if (!loaded.ok) return { status: "config-problem", problems: loaded.problems };
  const { rules, configFile } = loaded;
  const bare = checkpointContext(root, { ...stop, rules, configFile, now: stop.stoppedAt });
  const context = await withFacts(stop.changedFiles, stop.timeline, bare);
  return {
    status: "explained",
    explanation: explainTurn(stop.changedFiles, stop.timeline, context),
    scope: rules.scope,
  };
}
