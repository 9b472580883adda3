import { type OutcomeCounts, type RuleWeight, weighRule } from "@agent-checkpoint/composer";
import {
  type DaySum,
  type Outcome,
  OUTCOME_NAMES,
  type OutcomeName,
  type Store,
  type StoredStop,
  type Sums,
} from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
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
  const { days: length, agent, repository, rule } = filter;
  const offset = -now.getTimezoneOffset() * 60_000;
  const today = Math.floor((now.getTime() + offset) / DAY_MS);
  const count = Math.max(TREND_DAYS, 2 * length);
  const days = Array.from({ length: count + 1 }, (_, index) => (today - count + 1 + index) * DAY_MS - offset);
  const since = new Date(days[count - length] ?? 0);
  const sums = await store.outcomes.sumUp({ days, from: since.getTime(), agent, repository, rule });
  const last = await store.stops.list({
    since,
    isCanary: false,
    agent: agent ?? undefined,
    repository: repository ?? undefined,
    rule: rule ?? undefined,
    limit: LAST_STOPS,
  });
  // Whatever is filtered, a rule is judged by all of its answers.
  const noise = (await findNoise(store, new Date(days[0] ?? 0), home)).filter(
    (one) =>
      (agent === null || one.agent === null || one.agent === agent) &&
      (repository === null || one.repository === repository) &&
      (rule === null || one.rule === rule),
  );
  return {
    now,
    filter,
    agents: agentsOf(sums, now),
    repositories: repositoriesOf(sums, rule),
    rules: await rulesOf(store, { sums, filter, noise, since }),
    period: addUp(sums.days.slice(-length)),
    before: addUp(sums.days.slice(-2 * length, -length)),
    cost: costOf(sums.costs),
    hookMs: percentilesOf(sums.durations),
    trend: sums.days.slice(-TREND_DAYS).map((day) => {
      const { stops, blocked, known, outcomes } = addUp([day]);
      const date = new Date(day.from + offset).toISOString().slice(0, 10);
      return { date, stops, blocked, done: outcomes.done, known };
    }),
    noise,
    last: await Promise.all(last.map(async (stop) => lastStop(stop, await store.outcomes.list({ stopId: stop.id })))),
  };
}

function addUp(days: readonly DaySum[]): PeriodFigures {
  const sum = (name: Exclude<keyof DaySum, "from">) => days.reduce((total, day) => total + day[name], 0);
  const outcomes = {
    ...NO_OUTCOMES,
    done: sum("done"),
    partly: sum("partly"),
    ignored: sum("ignored"),
    waived: sum("waived"),
    unknown: sum("unknown"),
  };
  return { stops: sum("stops"), blocked: sum("blocked"), known: knownOf(outcomes), outcomes };
}

const NO_OUTCOMES = Object.fromEntries(OUTCOME_NAMES.map((name) => [name, 0])) as OutcomeCounts;

function knownOf({ done, partly, ignored, waived }: OutcomeCounts): number {
  return done + partly + ignored + waived;
}

function countsOf(answers: Sums["answers"]): OutcomeCounts {
  const counts = { ...NO_OUTCOMES } as Record<OutcomeName, number>;
  for (const { outcome, count } of answers) counts[outcome] += count;
  return counts;
}

function agentsOf({ firings }: Sums, now: Date): readonly AgentFigures[] {
  return firings
    .toSorted((one, other) => other.last - one.last)
    .map(({ agent, last }) => ({
      agent,
      last: new Date(last),
      isQuiet: now.getTime() - last > QUIET_DAYS * DAY_MS,
    }));
}

function repositoriesOf({ stops, answers }: Sums, rule: string | null): readonly RepositoryFigures[] {
  const said = Map.groupBy(
    answers.filter((row) => row.isShadow === 0 && (rule === null || row.rule === rule)),
    ({ repository }) => repository,
  );
  const total = (rows: Sums["stops"]) => rows.reduce((sum, { count }) => sum + count, 0);
  return [...Map.groupBy(stops, ({ repository }) => repository)]
    .map(([repository, rows]) => {
      const outcomes = countsOf(said.get(repository) ?? []);
      const blocked = total(rows.filter(({ decision }) => decision === "block"));
      return { repository, stops: total(rows), blocked, known: knownOf(outcomes), done: outcomes.done };
    })
    .toSorted((one, other) => other.stops - one.stops);
}

interface RuleContext {
  readonly sums: Sums;
  readonly filter: DashboardFilter;
  readonly noise: readonly NoisyRule[];
  readonly since: Date;
}

/** The rules that were asked in the place that is looked at; each has a row for what was said and one for what was not. */
async function rulesOf(store: Store, { sums, filter, noise, since }: RuleContext): Promise<readonly RuleFigures[]> {
  const { agent, repository } = filter;
  const here = sums.answers.filter((row) => repository === null || row.repository === repository);
  const found: RuleFigures[] = [];
  for (const rows of Map.groupBy(here, ({ rule, isShadow }) => `${isShadow} ${rule}`).values()) {
    const [{ rule, isShadow } = { rule: "", isShadow: 0 }] = rows;
    const newest = await store.outcomes.newest({ agent, repository, rule, isShadow: isShadow === 1, since });
    const mode = newest[0]?.mode ?? "require";
    found.push({
      rule,
      mode,
      asked: rows.reduce((sum, { count }) => sum + count, 0),
      isNoise: isShadow === 0 && noise.some((one) => one.rule === rule),
      seconds: costOf(sums.costs.filter((cost) => cost.rule === rule && isShadow === 0)).seconds,
      ...weighRule(newest, mode),
      counts: countsOf(rows),
    });
  }
  return found.toSorted(
    (one, other) => Number(one.mode === "shadow") - Number(other.mode === "shadow") || other.asked - one.asked,
  );
}

/** What a block took until the end of its turn, in the median of those of which that is known, as `stats` has it. */
function costOf(costs: Sums["costs"]): Figures["cost"] {
  const blocks = [...new Map(costs.map((row) => [row.stopId, row])).values()];
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

function percentilesOf(durations: Sums["durations"]): Figures["hookMs"] {
  const total = durations.reduce((sum, { count }) => sum + count, 0);
  const at = (share: number): number | null => {
    let seen = 0;
    return durations.find(({ count }) => (seen += count) >= share * total)?.durationMs ?? null;
  };
  return { median: at(0.5), p95: at(0.95) };
}

function lastStop(stop: StoredStop, outcomes: readonly Outcome[]): LastStop {
  const { id, at, agent, decision, reason, actions, projectPath, repository } = stop;
  const outcomeOf = (rule: string) => outcomes.find((row) => row.rule === rule)?.outcome ?? null;
  const asked = decision === "block" ? actions.map((rule) => ({ rule, outcome: outcomeOf(rule) })) : [];
  return { id, at, agent, decision, reason, repository: repository ?? projectPath, asked };
}
