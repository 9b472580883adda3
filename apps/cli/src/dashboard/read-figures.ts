import { type OutcomeCounts, type RuleWeight, weighRule } from "@agent-checkpoint/composer";
import type { Answer, Outcome, StopTally, Store, StoredStop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { groupBy } from "../group-by.ts";
import { findNoise, type NoisyRule } from "../rules/noisy-rules.ts";
import { percentile } from "../stats/build-stats.ts";

/** What the page is about; null stands for all. */
export interface DashboardFilter {
  readonly days: number;
  readonly agent: AgentName | null;
  readonly repository: string | null;
  readonly rule: string | null;
}

/** Everything that the page shows; `--json` prints it. */
export interface Figures {
  readonly now: Date;
  readonly filter: DashboardFilter;
  /** What there is to choose from. */
  readonly agents: readonly AgentFigures[];
  readonly repositories: readonly RepositoryFigures[];
  readonly rules: readonly RuleFigures[];
  readonly period: PeriodFigures;
  /** The period of the same length before it. */
  readonly before: PeriodFigures;
  readonly cost: { readonly blocks: number; readonly seconds: number | null; readonly tokens: number | null };
  readonly hookMs: { readonly median: number | null; readonly p95: number | null };
  readonly trend: readonly DayFigures[];
  readonly noise: readonly NoisyRule[];
  readonly last: readonly LastStop[];
}

export interface AgentFigures {
  readonly agent: AgentName;
  readonly last: Date;
  /** Whether it has not fired for a week. */
  readonly isQuiet: boolean;
}

/** Stops and blocks, and what came of what was said. */
export interface PeriodFigures {
  readonly stops: number;
  readonly blocked: number;
  readonly known: number;
  readonly outcomes: OutcomeCounts;
}

export interface RepositoryFigures extends Pick<PeriodFigures, "stops" | "blocked" | "known"> {
  readonly repository: string | null;
  readonly done: number;
}

/** A rule in one of its modes: what came of it, and how likely it is to be worth asking. */
export interface RuleFigures extends RuleWeight {
  readonly rule: string;
  readonly mode: Outcome["mode"];
  readonly asked: number;
  readonly isNoise: boolean;
  /** What a block that asked for it took, in the median. */
  readonly seconds: number | null;
}

export interface DayFigures {
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly stops: number;
  readonly blocked: number;
  readonly done: number;
  readonly known: number;
}

export interface LastStop extends Pick<StoredStop, "id" | "at" | "agent" | "decision" | "reason" | "repository"> {
  readonly asked: readonly { readonly rule: string; readonly outcome: Outcome["outcome"] | null }[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const TREND_DAYS = 90;
const QUIET_DAYS = 7;
const LAST_STOPS = 25;

/** Sums up the record; beside the database, only the configs of repositories are read in which a rule may be noise. */
export async function readFigures(
  store: Store,
  filter: DashboardFilter,
  { home, now }: { readonly home: string; readonly now: Date },
): Promise<Figures> {
  const { days, agent, repository, rule } = filter;
  const offset = -now.getTimezoneOffset() * 60_000;
  const today = Math.floor((now.getTime() + offset) / DAY_MS);
  const startOf = (day: number) => day * DAY_MS - offset;
  const first = today - Math.max(TREND_DAYS, 2 * days) + 1;
  const tallies = await store.outcomes.tally({ since: startOf(first), from: startOf(today - days + 1), offset });
  const outcomes = await store.outcomes.answers(new Date(startOf(first)));
  const dayOf = ({ at }: Answer) => Math.floor((at + offset) / DAY_MS);
  const isWanted = (row: Pick<StopTally, "agent" | "repository">) =>
    (agent === null || row.agent === agent) && (repository === null || row.repository === repository);
  const stops = tallies.stops.filter(isWanted);
  const ofPlace = agent === null && repository === null ? outcomes : outcomes.filter(isWanted);
  const wanted = rule === null ? ofPlace : ofPlace.filter((row) => row.rule === rule);
  // Tens of thousands of answers are gone through once; each day's stay in their order, the newest first.
  const byDay = groupBy(wanted, dayOf);
  const stopsByDay = groupBy(stops, ({ day }) => day);
  const within = <Row>(rows: ReadonlyMap<number, readonly Row[]>, from: number): readonly Row[] =>
    Array.from({ length: days }, (_, index) => rows.get(from + days - 1 - index) ?? []).flat();
  const periodOf = (from: number): PeriodFigures => sumUp(within(stopsByDay, from), within(byDay, from));
  const start = today - days + 1;
  const said = within(byDay, start).filter(isSaid);
  const last = await store.stops.last({
    since: new Date(startOf(start)),
    agent,
    repository,
    rule,
    limit: LAST_STOPS,
  });
  // Whatever is filtered, a rule is judged by all of its answers.
  const noise = (await findNoise(store, outcomes, home)).filter(
    (one) =>
      (agent === null || one.agent === null || one.agent === agent) &&
      (repository === null || one.repository === repository) &&
      (rule === null || one.rule === rule),
  );
  const shown = new Set(last.map(({ id }) => id));
  const byStop = groupBy(
    outcomes.filter(({ stopId }) => shown.has(stopId)),
    ({ stopId }) => stopId,
  );
  return {
    now,
    filter,
    agents: agentsOf(tallies.stops, now),
    repositories: repositoriesOf(
      tallies.stops.filter(({ day }) => day >= start),
      said,
      agent,
    ),
    rules: rulesOf(
      ofPlace.filter((row) => dayOf(row) >= start),
      noise,
    ),
    period: periodOf(start),
    before: periodOf(start - days),
    cost: costOf(said),
    hookMs: percentilesOf(tallies.durations),
    trend: Array.from({ length: TREND_DAYS }, (_, index) => {
      const day = today - TREND_DAYS + 1 + index;
      const { stops: all, blocked, outcomes: counts, known } = sumUp(stopsByDay.get(day) ?? [], byDay.get(day) ?? []);
      return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), stops: all, blocked, done: counts.done, known };
    }),
    noise,
    last: last.map((stop) => lastStop(stop, byStop.get(stop.id) ?? [])),
  };
}

/** Whether the agent was told. */
function isSaid({ mode }: Answer): boolean {
  return mode !== "shadow";
}

function sumUp(stops: readonly StopTally[], outcomes: readonly Answer[]): PeriodFigures {
  const sum = (rows: readonly StopTally[]) => rows.reduce((total, { count }) => total + count, 0);
  const { counts } = weighRule(outcomes.filter(isSaid), "require");
  const { done, partly, ignored, waived } = counts;
  return {
    stops: sum(stops),
    blocked: sum(stops.filter(({ decision }) => decision === "block")),
    known: done + partly + ignored + waived,
    outcomes: counts,
  };
}

function agentsOf(stops: readonly StopTally[], now: Date): readonly AgentFigures[] {
  return [...groupBy(stops, ({ agent }) => agent)]
    .map(([agent, rows]) => ({ agent, last: Math.max(...rows.map((row) => row.last)) }))
    .toSorted((one, other) => other.last - one.last)
    .map(({ agent, last }) => ({
      agent,
      last: new Date(last),
      isQuiet: now.getTime() - last > QUIET_DAYS * DAY_MS,
    }));
}

function repositoriesOf(
  stops: readonly StopTally[],
  said: readonly Answer[],
  agent: AgentName | null,
): readonly RepositoryFigures[] {
  const outcomes = groupBy(said, ({ repository }) => repository);
  return [
    ...groupBy(
      stops.filter((row) => agent === null || row.agent === agent),
      ({ repository }) => repository,
    ),
  ]
    .map(([repository, rows]) => {
      const { stops: all, blocked, known, outcomes: counts } = sumUp(rows, outcomes.get(repository) ?? []);
      return { repository, stops: all, blocked, known, done: counts.done };
    })
    .toSorted((one, other) => other.stops - one.stops);
}

function rulesOf(outcomes: readonly Answer[], noise: readonly NoisyRule[]): readonly RuleFigures[] {
  return [...groupBy(outcomes, ({ rule, mode }) => `${mode === "shadow"} ${rule}`)]
    .flatMap(([, rows]): readonly RuleFigures[] => {
      const [newest] = rows;
      if (newest === undefined) return [];
      const { rule, mode } = newest;
      const isNoise = mode !== "shadow" && noise.some((one) => one.rule === rule);
      return [{ rule, mode, asked: rows.length, isNoise, seconds: costOf(rows).seconds, ...weighRule(rows, mode) }];
    })
    .toSorted(
      (one, other) => Number(one.mode === "shadow") - Number(other.mode === "shadow") || other.asked - one.asked,
    );
}

/** What a block took until the end of its turn, in the median of those of which that is known, as `stats` has it. */
function costOf(outcomes: readonly Answer[]): Figures["cost"] {
  const blocks = [...new Map(outcomes.map((row) => [row.stopId, row])).values()];
  const median = (values: readonly (number | null)[]) =>
    percentile(
      values.filter((value) => value !== null),
      0.5,
    );
  return {
    blocks: blocks.length,
    seconds: median(blocks.map(({ seconds }) => seconds)),
    tokens: median(blocks.map(({ tokens }) => tokens)),
  };
}

function percentilesOf(
  durations: readonly { readonly durationMs: number; readonly count: number }[],
): Figures["hookMs"] {
  const total = durations.reduce((sum, { count }) => sum + count, 0);
  const at = (share: number): number | null => {
    let seen = 0;
    return durations.find(({ count }) => (seen += count) >= share * total)?.durationMs ?? null;
  };
  return { median: at(0.5), p95: at(0.95) };
}

function lastStop(stop: StoredStop, outcomes: readonly Answer[]): LastStop {
  const { id, at, agent, decision, reason, actions, projectPath, repository } = stop;
  const outcomeOf = (rule: string) => outcomes.find((row) => row.rule === rule)?.outcome ?? null;
  const asked = decision === "block" ? actions.map((rule) => ({ rule, outcome: outcomeOf(rule) })) : [];
  return { id, at, agent, decision, reason, repository: repository ?? projectPath, asked };
}
