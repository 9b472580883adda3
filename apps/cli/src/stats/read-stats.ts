import { settleOutcomes } from "@agent-checkpoint/composer";
import type { Outcome, StoredStop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { memoize } from "../memoize.ts";
import { findNoise } from "../rules/noisy-rules.ts";
import { mainRepositoryOf } from "../sessions/repository-of.ts";
import { withStore } from "../with-store.ts";
import { type Answer, buildStats, type CountedStop, OUTCOMES, type Stats } from "./build-stats.ts";

/** Which stops are counted. */
export interface StatsQuery {
  readonly home: string;
  readonly now: Date;
  readonly since: Date | null;
  readonly agent: AgentName | null;
  /** A repository, by the root of its main work tree; null for all of them. */
  readonly project: string | null;
}

/** Counts the recorded stops and outcomes; what is final and not recorded yet is settled first. */
export async function readStats({ home, now, since, agent, project }: StatsQuery): Promise<Stats> {
  const { stops, outcomes, noise } = await withStore(home, async (store) => {
    await settleOutcomes(store, { home, now });
    return {
      stops: await store.stops.list({ since: since ?? undefined, agent: agent ?? undefined, isCanary: false }),
      outcomes: await store.outcomes.list({ since: since ?? undefined }),
      noise: await findNoise(store, new Date(0), home),
    };
  });
  const repositories = memoize(mainRepositoryOf);
  const answers = Map.groupBy(outcomes, ({ stopId }) => stopId);
  const counted = stops.filter(({ projectPath, repository }) => {
    const place = repository ?? projectPath;
    return project === null || (place !== null && repositories(place) === project);
  });
  const noisy = noise.filter(({ repository }) => project === null || repositories(repository) === project);
  return buildStats(
    counted.map((stop) => {
      const known = answers.get(stop.id);
      return { stop, answers: answersTo(stop, known), cost: known?.[0] };
    }),
    new Set(noisy.map(({ rule }) => rule)),
  );
}

/** What a block asked for, with the outcomes; without any, its turn has not ended. */
function answersTo(
  { decision, actions }: StoredStop,
  outcomes: readonly Outcome[] | undefined,
): CountedStop["answers"] {
  if (decision === "pass") return [];
  if (outcomes === undefined)
    return actions.map((rule) => ({ rule, kind: "action", outcome: "unknown", why: "still-running" }));
  return outcomes.flatMap(({ rule, kind, mode, why, outcome: found }): readonly Answer[] => {
    const outcome = OUTCOMES.find((name) => name === found);
    const isSaid = kind !== "message" && mode !== "shadow";
    return isSaid && outcome !== undefined ? [{ rule, kind, why, outcome }] : [];
  });
}
