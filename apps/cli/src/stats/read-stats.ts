import { loadRules } from "@agent-checkpoint/composer";
import type { Rules } from "@agent-checkpoint/categories";
import type { StoredStop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { memoize } from "../memoize.ts";
import { mainRepositoryOf, repositoryOf } from "../sessions/repository-of.ts";
import { withStore } from "../with-store.ts";
import { buildStats, type CountedStop, type Stats } from "./build-stats.ts";
import { type FollowUp, judgeAnswers, type OnTranscript, readFollowUps } from "./judge-answers.ts";

/** Which stops are counted. */
export interface StatsQuery {
  readonly home: string;
  readonly since: Date | null;
  readonly agent: AgentName | null;
  /** A repository, by the root of its main work tree; null for all of them. */
  readonly project: string | null;
  /** Called with the progress of reading transcripts. */
  readonly onTranscript?: OnTranscript;
}

/** Counts the recorded stops, and reads from the transcripts what agents did after a block. */
export async function readStats({ home, since, agent, project, onTranscript }: StatsQuery): Promise<Stats> {
  const filter = { since: since ?? undefined, agent: agent ?? undefined, isCanary: false };
  const stops = await withStore(home, (store) => store.stops.list(filter));
  const roots = memoize(repositoryOf);
  const repositories = memoize(mainRepositoryOf);
  const rulesOf = memoize((root: string): Rules | null => {
    const loaded = loadRules(root, home);
    return loaded.ok ? loaded.rules : null;
  });
  const counted = stops.filter(({ projectPath, repository }) => {
    const place = repository ?? projectPath;
    return project === null || (place !== null && repositories(place) === project);
  });
  const blocks = counted.filter(({ decision }) => decision === "block");
  const followUps = readFollowUps(blocks, onTranscript);
  const endings = lastStops(stops);
  return buildStats(counted.map(count));

  function rootOf(projectPath: string | null): string | null {
    return projectPath === null ? null : roots(projectPath);
  }

  function count(stop: StoredStop): CountedStop {
    if (stop.decision === "pass") return { stop, answers: [] };
    const root = rootOf(stop.projectPath);
    const rules = root === null ? null : rulesOf(root);
    const followUp: FollowUp = followUps.get(stop.id) ?? { status: "unknown", why: "no-trail" };
    const place = { projectPath: root ?? "", projectAliases: stop.projectPath === null ? [] : [stop.projectPath] };
    const isOver = endings.get(sessionKey(stop)) !== stop.id;
    return { stop, answers: judgeAnswers({ stop, followUp, rules, place, isOver }) };
  }
}

/** The number of each session's last stop; `stops` is sorted newest first. */
function lastStops(stops: readonly StoredStop[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const stop of stops) if (!last.has(sessionKey(stop))) last.set(sessionKey(stop), stop.id);
  return last;
}

function sessionKey({ agent, sessionId }: StoredStop): string {
  return `${agent} ${sessionId}`;
}
