import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "./connection.ts";
import type { Answer, OutcomeTable } from "./outcomes.ts";
import type { Db, Rows } from "./schema.ts";

/** The index of the answers to a rule; outcomes are written beside the stops, so no stop waits for it. */
export const CREATE_OUTCOMES_BY_RULE = `
  CREATE INDEX outcomes_by_rule ON outcomes (repository, rule, at, mode, agent, outcome);
`;

/** Which stops and answers are meant; null stands for all. */
export interface Scope {
  readonly agent: AgentName | null;
  readonly repository: string | null;
  readonly rule: string | null;
}

/** What a page asks for. */
export interface SumQuestion extends Scope {
  /** When each day begins, and at last when the last one ends. */
  readonly days: readonly number[];
  /** When the period begins that is looked at more closely; it ends with the last day. */
  readonly from: number;
}

/** A part of the record; the second time is not included. */
interface Part extends Scope {
  readonly since: number;
  readonly until: number;
}

/** The stops of a day, and what came of what was said at them. */
export interface DaySum extends Readonly<
  Record<"stops" | "blocked" | "done" | "partly" | "ignored" | "waived" | "unknown", number>
> {
  /** When it begins. */
  readonly from: number;
}

/** The sums that a page shows: a hundred thousand stops are summed up in the database, and never sorted as a whole. */
export interface Sums {
  readonly days: readonly DaySum[];
  /** Of the period, the rest by agent: how many stops of each repository were blocked and passed. */
  readonly stops: readonly StopTally[];
  /** What came of each rule in each repository; of all rules and repositories. */
  readonly answers: readonly AnswerTally[];
  /** What each block took, once for every rule that it asked for. */
  readonly costs: readonly BlockCost[];
  /** How many stops took so many milliseconds, the shortest first. */
  readonly durations: readonly { readonly durationMs: number; readonly count: number }[];
  /** When each agent last stopped, of all repositories. */
  readonly firings: readonly { readonly agent: AgentName; readonly last: number }[];
}

interface StopTally {
  readonly repository: string | null;
  readonly decision: "block" | "pass";
  readonly count: number;
}

interface AnswerTally extends Pick<OutcomeTable, "repository" | "rule" | "outcome"> {
  readonly isShadow: 0 | 1;
  readonly count: number;
}

type BlockCost = Pick<OutcomeTable, "stopId" | "rule" | "seconds" | "tokens">;

/** Of the answers to a rule, the newest ones. */
interface Newest extends Part {
  readonly isShadow: 0 | 1;
  readonly limit: number;
}

export const SUM_QUERIES = {
  sumStops: (db: Db, part: Part): Rows<Pick<DaySum, "stops" | "blocked">> =>
    stopsOf(db, part).select((row) => [
      row.fn.countAll<number>().as("stops"),
      row.fn.countAll<number>().filterWhere("decision", "=", "block").as("blocked"),
    ]),

  sumAnswers: (db: Db, part: Part): Rows<Omit<DaySum, "from" | "stops" | "blocked">> =>
    answersOf(db, part)
      .where("mode", "<>", "shadow")
      .select((row) => {
        const count = <Name extends OutcomeTable["outcome"]>(name: Name) =>
          row.fn.countAll<number>().filterWhere("outcome", "=", name).as(name);
        return [count("done"), count("partly"), count("ignored"), count("waived"), count("unknown")];
      }),

  tallyStops: (db: Db, part: Part): Rows<StopTally> =>
    stopsOf(db, part)
      .select((row) => [
        row.fn.coalesce("repository", "projectPath").as("repository"),
        "decision",
        row.fn.countAll<number>().as("count"),
      ])
      .groupBy(["repository", "projectPath", "decision"]),

  tallyAnswers: (db: Db, part: Part): Rows<AnswerTally> =>
    answersOf(db, part)
      .select((row) => [
        "repository",
        "rule",
        row.cast<0 | 1>(row("mode", "=", "shadow"), "integer").as("isShadow"),
        "outcome",
        row.fn.countAll<number>().as("count"),
      ])
      .groupBy(["repository", "rule", "isShadow", "outcome"]),

  listCosts: (db: Db, part: Part): Rows<BlockCost> =>
    answersOf(db, part)
      .select(["stopId", "rule", "seconds", "tokens"])
      .where("mode", "<>", "shadow")
      .where((where) => where.or([where("seconds", "is not", null), where("tokens", "is not", null)])),

  tallyDurations: (db: Db, part: Part): Rows<Sums["durations"][number]> =>
    stopsOf(db, part)
      .select((row) => ["durationMs", row.fn.countAll<number>().as("count")])
      .groupBy("durationMs")
      .orderBy("durationMs"),

  listFirings: (db: Db, { since }: { readonly since: number }): Rows<Sums["firings"][number]> =>
    db
      .selectFrom("sessions")
      .select((row) => ["agent", row.fn.max<number>("lastStopAt").as("last")])
      .where("lastStopAt", ">=", since)
      .groupBy("agent"),

  listNewest: (db: Db, part: Newest): Rows<Answer> =>
    answersOf(db, part)
      .select(["rule", "mode", "agent", "repository", "outcome"])
      .where((where) => where(where.parens("mode", "=", "shadow"), "=", part.isShadow))
      .orderBy("at", "desc")
      .limit(part.limit),

  /** The rules that were ignored or waived at least so often, by repository. */
  listLeft: (
    db: Db,
    { since, atLeast }: { readonly since: number; readonly atLeast: number },
  ): Rows<Pick<Answer, "repository" | "rule">> =>
    db
      .selectFrom("outcomes")
      .select(["repository", "rule"])
      .where("at", ">=", since)
      .where("outcome", "in", ["ignored", "waived"])
      .groupBy(["repository", "rule"])
      .having((row) => row.fn.countAll<number>(), ">=", atLeast),

  /** The same as `listNewest` by the index of rules. */
  listNewestOfRule: (
    db: Db,
    { repository, rule, since, limit }: Pick<Newest, "since" | "limit"> & { repository: string; rule: string },
  ): Rows<Answer> =>
    db
      .selectFrom("outcomes")
      .select(["rule", "mode", "agent", "repository", "outcome"])
      .where("repository", "=", repository)
      .where("rule", "=", rule)
      .where("at", ">=", since)
      .orderBy("at", "desc")
      .limit(limit),
};

function stopsOf(db: Db, { since, until, agent, repository }: Part) {
  return db
    .selectFrom("stops")
    .where("at", ">=", since)
    .where("at", "<", until)
    .where("isCanary", "=", 0)
    .where("agent", "=", (column) => column.fn.coalesce(column.val(agent), "agent"))
    .where((where) =>
      where.or([
        where(where.val(repository), "is", null),
        where(where.fn.coalesce("repository", "projectPath"), "=", where.val(repository)),
      ]),
    );
}

function answersOf(db: Db, { since, until, agent, repository, rule }: Part) {
  return db
    .selectFrom("outcomes")
    .where("at", ">=", since)
    .where("at", "<", until)
    .where("kind", "<>", "message")
    .where("agent", "=", (column) => column.fn.coalesce(column.val(agent), "agent"))
    .where("rule", "=", (column) => column.fn.coalesce(column.val(rule), "rule"))
    .where((where) =>
      where.or([where(where.val(repository), "is", null), where("repository", "=", where.val(repository))]),
    );
}

/** Sums up a part of the record. One day after the other is read in the order of the index: to group them would sort them all. */
export function sumUp(connection: Connection, { days, from, agent, repository, rule }: SumQuestion): Sums {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const scope = { agent, repository, rule };
  const all = { agent, repository: null, rule: null };
  const period = { since: from, until: last };
  return {
    days: days.slice(0, -1).map((since, index) => {
      const day = { ...scope, since, until: days[index + 1] ?? last };
      const [stops = NO_STOPS] = connection.rows("sumStops", day);
      const [answers = NO_ANSWERS] = connection.rows("sumAnswers", day);
      return { from: since, ...stops, ...answers };
    }),
    stops: connection.rows("tallyStops", { ...all, ...period }),
    answers: connection.rows("tallyAnswers", { ...all, ...period }),
    costs: connection.rows("listCosts", { ...scope, ...period }),
    durations: connection.rows("tallyDurations", { ...scope, ...period }),
    firings: connection.rows("listFirings", { since: first }),
  };
}

const NO_STOPS = { stops: 0, blocked: 0 };
const NO_ANSWERS = { done: 0, partly: 0, ignored: 0, waived: 0, unknown: 0 };

/** So many answers to a rule decide about its mode; what is older counts no more. */
export const NEWEST_ANSWERS = 240;

/** The newest answers to a rule in a part of the record, said or not. */
export function listNewest(
  connection: Connection,
  { isShadow, since, ...scope }: Scope & { readonly isShadow: boolean; readonly since: Date },
): readonly Answer[] {
  const part = { ...scope, since: since.getTime(), until: Number.MAX_SAFE_INTEGER, limit: NEWEST_ANSWERS };
  return toAnswers(connection.rows("listNewest", { ...part, isShadow: isShadow ? 1 : 0 }));
}

/** The newest answers, by repository, to those of its rules that were ignored or waived at least so often since a time. */
export function listLeft(connection: Connection, since: Date, atLeast: number): ReadonlyMap<string, readonly Answer[]> {
  const found = new Map<string, readonly Answer[]>();
  for (const { repository, rule } of connection.rows("listLeft", { since: since.getTime(), atLeast })) {
    if (repository === null) continue;
    const newest = { repository, rule, since: since.getTime(), limit: NEWEST_ANSWERS };
    const answers = toAnswers(connection.rows("listNewestOfRule", newest));
    found.set(repository, [...(found.get(repository) ?? []), ...answers]);
  }
  return found;
}

/** Objects of one shape: reading SQLite's own ones again and again takes several times as long. */
function toAnswers(rows: readonly Answer[]): readonly Answer[] {
  return rows.map(({ rule, mode, agent, repository, outcome }) => ({ rule, mode, agent, repository, outcome }));
}
