import { hashOf, makeToken, type Role, type TeamRow } from "@agent-checkpoint/team";
import { invite } from "../database/administer.ts";
import { connectDatabase, prepareDatabase, type TeamDatabase } from "../database/connect.ts";
import { enrol } from "../database/machine-calls.ts";

/** A machine of a test: its token, the token's digest, and its number. */
export interface TestMachine {
  readonly token: string;
  readonly hash: string;
  readonly machine: number;
}

/** Opens a database with all tables. */
export async function openTeam(url: string, connections = 4): Promise<TeamDatabase> {
  await prepareDatabase(url, { team: "shop", now: new Date(), keepMonths: 13 });
  return connectDatabase(url, { connections });
}

/** A machine that has joined. */
export async function aMachine(database: TeamDatabase, role: Role = "machine", isShared = false): Promise<TestMachine> {
  const code = await invite(database, { role, isShared, days: 1 });
  const token = makeToken();
  const { machine } = await enrol(database.pool, {
    code,
    tokenHash: hashOf(token),
    name: `laptop of a${role === "admin" ? "n" : ""} ${role}`,
  });
  return { token, hash: hashOf(token), machine };
}

/** A stop as it travels; the number tells one from another. */
export function aRow(number: number, fields: Partial<Extract<TeamRow, { t: "stop" }>> & object = {}): TeamRow {
  return {
    t: "stop",
    uid: `018f0000-0000-8000-8000-${number.toString(16).padStart(12, "0")}`,
    at: new Date(Date.now() - 60_000).toISOString(),
    agent: "claude",
    repository: "shop",
    decision: "pass",
    reason: "all-clear",
    durationMs: 10,
    client: "1.0.0",
    ...fields,
  };
}

/** What the sums say, and what the rows say that they are made of. */
export async function sumsAndRows({ pool }: TeamDatabase): Promise<readonly [unknown, unknown]> {
  const sums = await pool.query(
    `select repository_id, day::text, agent, decision, stops::int, duration_ms::int as ms from checkpoint.stops_day where repository_id <> 0
     union all select 0, day::text, agent, decision, stops::int, duration_ms::int from checkpoint.stops_day where repository_id = 0 order by 1, 2, 3, 4`,
  );
  const rows = await pool.query(
    `select coalesce(repository_id, 0) as repository_id, (stopped_at at time zone 'utc')::date::text as day, agent, decision, count(*)::int as stops, coalesce(sum(duration_ms), 0)::int as ms
     from checkpoint.stops where stopped_at between now() - interval '400 days' and now() + interval '2 days'
     group by grouping sets ((repository_id, 2, agent, decision), (2, agent, decision)) order by 1, 2, 3, 4`,
  );
  const places = await pool.query(
    "select repository_id, day::text, stops::int, blocked::int from checkpoint.repositories_day where stops > 0 order by 1, 2",
  );
  const counted = await pool.query(
    `select coalesce(repository_id, 0) as repository_id, (stopped_at at time zone 'utc')::date::text as day, count(*)::int as stops, (count(*) filter (where decision = 'block'))::int as blocked
     from checkpoint.stops where stopped_at between now() - interval '400 days' and now() + interval '2 days'
     group by grouping sets ((repository_id, 2), (2)) order by 1, 2`,
  );
  return [
    [sums.rows, places.rows],
    [rows.rows, counted.rows],
  ];
}
