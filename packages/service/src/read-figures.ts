import { sql } from "kysely";
import { listMachines, type Machine } from "./database/administer.ts";
import type { ReaderRole, TeamDatabase } from "./database/connect.ts";

/** What the page is about. */
export interface TeamFilter {
  readonly days: number;
  /** A repository by its name; null for the whole team. */
  readonly repository: string | null;
}

/** Stops, and the outcomes of what was asked. */
export interface TeamPeriod {
  readonly stops: number;
  readonly blocked: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** How many seconds a block took on the average, and how long the hook itself, in milliseconds. */
  readonly seconds: number | null;
  readonly hookMs: number | null;
}

export interface TeamFigures {
  readonly now: Date;
  readonly filter: TeamFilter;
  readonly period: TeamPeriod;
  readonly before: TeamPeriod;
  readonly agents: readonly { readonly agent: string; readonly stops: number; readonly blocked: number }[];
  readonly rules: readonly {
    readonly rule: string;
    readonly mode: string;
    readonly asked: number;
    readonly outcomes: Readonly<Record<string, number>>;
  }[];
  readonly repositories: readonly {
    readonly name: string;
    readonly stops: number;
    readonly blocked: number;
    readonly done: number;
    readonly known: number;
  }[];
  readonly trend: readonly {
    readonly date: string;
    readonly stops: number;
    readonly blocked: number;
    readonly done: number;
    readonly known: number;
  }[];
  /** Only for an admin. */
  readonly machines: readonly Machine[] | null;
}

const TREND_DAYS = 90;
const MOST_REPOSITORIES = 50;
const MOST_MACHINES = 200;
/** Outcomes that are known. */
const KNOWN = ["done", "partly", "ignored", "waived"] as const;

/** Sums up the team's record from the sums of its days, with the rights of a role. */
export async function readFigures(
  database: TeamDatabase,
  role: ReaderRole,
  filter: TeamFilter,
  now: Date,
): Promise<TeamFigures> {
  const dayAt = (back: number) => new Date(now.getTime() - back * 86_400_000).toISOString().slice(0, 10);
  const { days } = filter;
  const [start, earlier, first] = [dayAt(days - 1), dayAt(2 * days - 1), dayAt(TREND_DAYS - 1)];
  const { stops, answers, trend, repositories } = await database.as(role, async (db) => {
    const place =
      filter.repository === null
        ? sql<number>`0`
        : sql<number>`(select id from checkpoint.repositories where name = ${filter.repository})`;
    const stopRows = await sql<StopSum>`
      select day >= ${start}::date as "isNow", agent, decision, sum(stops)::float8 as stops, sum(duration_ms)::float8 as duration
      from checkpoint.stops_day where repository_id = ${place} and day >= ${earlier}::date group by 1, 2, 3`.execute(
      db,
    );
    const ruleRows = await sql<AnswerSum>`
      select day >= ${start}::date as "isNow", rule, mode, outcome, sum(answers)::float8 as answers, sum(seconds)::float8 as seconds, sum(timed)::float8 as timed
      from checkpoint.rules_day where repository_id = ${place} and day >= ${earlier}::date group by 1, 2, 3, 4`.execute(
      db,
    );
    const trendRows = await sql<TrendDay>`
      select day::text as date, stops::float8, blocked::float8, done::float8, known::float8
      from checkpoint.repositories_day where repository_id = ${place} and day >= ${first}::date`.execute(db);
    const places = await sql<RepositorySum>`
      select r.name, sum(d.stops)::float8 as stops, sum(d.blocked)::float8 as blocked, sum(d.done)::float8 as done, sum(d.known)::float8 as known
      from checkpoint.repositories_day d join checkpoint.repositories r on r.id = d.repository_id
      where d.day >= ${start}::date and d.repository_id <> 0 group by r.id, r.name order by 2 desc, 1 limit ${MOST_REPOSITORIES}`.execute(
      db,
    );
    return { stops: stopRows.rows, answers: ruleRows.rows, trend: trendRows.rows, repositories: places.rows };
  });
  const periodOf = (isNow: boolean): TeamPeriod =>
    sumUp(
      stops.filter((row) => row.isNow === isNow),
      answers.filter((row) => row.isNow === isNow && row.mode !== "shadow"),
    );
  const byDate = new Map(trend.map((day) => [day.date, day]));
  return {
    now,
    filter,
    period: periodOf(true),
    before: periodOf(false),
    agents: agentsOf(stops.filter(({ isNow }) => isNow)),
    rules: rulesOf(answers.filter(({ isNow }) => isNow)),
    repositories,
    trend: Array.from({ length: TREND_DAYS }, (_, index) => {
      const date = dayAt(TREND_DAYS - 1 - index);
      return byDate.get(date) ?? { date, stops: 0, blocked: 0, done: 0, known: 0 };
    }),
    machines: role === "admin" ? await listMachines(database, MOST_MACHINES) : null,
  };
}

interface StopSum {
  readonly isNow: boolean;
  readonly agent: string;
  readonly decision: string;
  readonly stops: number;
  readonly duration: number;
}

interface AnswerSum {
  readonly isNow: boolean;
  readonly rule: string;
  readonly mode: string;
  readonly outcome: string;
  readonly answers: number;
  readonly seconds: number;
  readonly timed: number;
}

type RepositorySum = TeamFigures["repositories"][number];
type TrendDay = TeamFigures["trend"][number];

/** How many answers are known. */
export function knownOf(outcomes: Readonly<Record<string, number>>): number {
  return KNOWN.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0);
}

function sumUp(stops: readonly StopSum[], answers: readonly AnswerSum[]): TeamPeriod {
  const all = total(stops, ({ stops: count }) => count);
  const timed = total(answers, (row) => row.timed);
  return {
    stops: all,
    blocked: total(
      stops.filter(({ decision }) => decision === "block"),
      ({ stops: count }) => count,
    ),
    outcomes: outcomesOf(answers),
    seconds: timed === 0 ? null : Math.round(total(answers, ({ seconds }) => seconds) / timed),
    hookMs: all === 0 ? null : Math.round(total(stops, ({ duration }) => duration) / all),
  };
}

function outcomesOf(answers: readonly AnswerSum[]): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const row of answers) outcomes[row.outcome] = (outcomes[row.outcome] ?? 0) + row.answers;
  return outcomes;
}

function agentsOf(stops: readonly StopSum[]): TeamFigures["agents"] {
  return [...Map.groupBy(stops, ({ agent }) => agent)]
    .map(([agent, rows]) => ({ agent, ...sumUp(rows, []) }))
    .map(({ agent, stops: count, blocked }) => ({ agent, stops: count, blocked }))
    .toSorted((one, other) => other.stops - one.stops);
}

function rulesOf(answers: readonly AnswerSum[]): TeamFigures["rules"] {
  return [...Map.groupBy(answers, ({ rule, mode }) => `${rule} ${mode}`).values()]
    .map((rows) => ({
      rule: rows[0]?.rule ?? "",
      mode: rows[0]?.mode ?? "",
      asked: total(rows, (row) => row.answers),
      outcomes: outcomesOf(rows),
    }))
    .toSorted((one, other) => other.asked - one.asked || (one.rule < other.rule ? -1 : 1));
}

function total<Row>(rows: readonly Row[], value: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
