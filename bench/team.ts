/**
 * Measures the team's service on a PostgreSQL of its own, with commits that wait for the disk: how many rows a second
 * come in the whole way (HTTP, gzip, token, JSON) by the size of their batches, and how long the questions of the page take
 * with ten million stops on record. node bench/team.ts [rows]
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readFigures } from "../packages/service/src/read-figures.ts";
import { freePort, startPostgres } from "../packages/service/src/testing/start-postgres.ts";
import { aMachine, aRow, openTeam } from "../packages/service/src/testing/team-stage.ts";
import { httpTarget } from "../packages/team/src/index.ts";

const ROWS = Number(process.argv[2] ?? 10_000_000);
const CLIENTS = 16;
const INGEST_MS = 8000;
const ROUNDS = 15;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? 0;

const postgres = await startPostgres({ isDurable: true, settings: { max_wal_size: "4GB", shared_buffers: "512MB" } });
try {
  const url = await postgres.database("bench");
  const team = await openTeam(url);
  const port = await freePort();
  const child = fileURLToPath(new URL("../packages/service/src/testing/service-child.ts", import.meta.url));
  const service = fork(child, [url, String(port)], { execArgv: ["-C", "@agent-checkpoint/source"] });
  await new Promise((resolve) => service.once("message", resolve));

  console.log("rows a batch | rows a second | a batch, p50 / p95 in ms");
  let number = 0;
  for (const size of [1, 20, 100, 500]) {
    const times: number[] = [];
    const begun = performance.now();
    let stored = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const { token } = await aMachine(team);
        const target = httpTarget({ url: `http://127.0.0.1:${port}`, token });
        while (performance.now() - begun < INGEST_MS) {
          const rows = Array.from({ length: size }, () =>
            aRow((number += 1), { repository: `r${number % 50}`, rules: ["tests"] }),
          );
          const at = performance.now();
          const answer = await target.send(rows);
          if (!answer.ok) throw new Error(answer.detail);
          times.push(performance.now() - at);
          stored += answer.inserted;
        }
      }),
    );
    const rate = Math.round((stored / (performance.now() - begun)) * 1000);
    console.log(
      `${size} | ${rate.toLocaleString("en-US")} | ${percentile(times, 0.5).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)}`,
    );
  }
  service.kill();

  console.log(`\n${ROWS.toLocaleString("en-US")} stops of 1,000 machines in 200 repositories are made …`);
  await team.pool.query(
    "insert into checkpoint.repositories (name) select 'repository-' || i from generate_series(1, 200) i",
  );
  const client = await team.pool.connect();
  await client.query("set statement_timeout = 0");
  await client.query(
    `insert into checkpoint.stops (stopped_at, uid, machine_id, repository_id, agent, decision, duration_ms, rules)
     select now() - (i % 7776000) * interval '1 second', gen_random_uuid(), i % 1000, 60 + i % 200, (array['claude', 'codex', 'gemini'])[1 + i % 3],
       case when i % 4 = 0 then 'block' else 'pass' end, 20 + i % 60, '{tests}' from generate_series(1, $1::int) i`,
    [ROWS],
  );
  await client.query(
    `truncate checkpoint.stops_day, checkpoint.rules_day, checkpoint.repositories_day, checkpoint.stop_shares`,
  );
  await client.query(
    `insert into checkpoint.stops_day select coalesce(repository_id, 0), (stopped_at at time zone 'utc')::date, agent, decision, count(*), sum(duration_ms)
     from checkpoint.stops group by grouping sets ((repository_id, 2, agent, decision), (2, agent, decision))`,
  );
  await client.query(
    `insert into checkpoint.rules_day select s.repository_id, s.day, r.rule, r.mode, o.outcome, s.agent, greatest(1, s.stops / 20), s.stops * 4, s.stops / 20
     from checkpoint.stops_day s, (values ('tests', 'require'), ('check-types', 'require'), ('check-lint', 'advise'), ('migrate', 'require'), ('logs', 'shadow')) r(rule, mode),
       (values ('done'), ('partly'), ('ignored'), ('waived'), ('unknown')) o(outcome) where s.decision = 'block'`,
  );
  await client.query(
    `insert into checkpoint.repositories_day select day, repository_id, sum(stops), coalesce(sum(stops) filter (where decision = 'block'), 0), 1, 2
     from checkpoint.stops_day group by 1, 2`,
  );
  await client.query("vacuum analyze checkpoint.stops_day, checkpoint.rules_day, checkpoint.repositories_day");
  client.release();
  const sizes = await team.pool.query(
    `select (select sum(pg_total_relation_size(inhrelid)) / count(*) over () from pg_inherits where inhparent = 'checkpoint.stops'::regclass group by inhparent)::float8 as stops,
       (pg_total_relation_size('checkpoint.stops_day') + pg_total_relation_size('checkpoint.rules_day') + pg_total_relation_size('checkpoint.repositories_day'))::float8 as sums`,
  );
  const { stops: bytes = 0, sums = 0 } = (sizes.rows[0] ?? {}) as { stops?: number; sums?: number };
  console.log(`${(bytes / ROWS).toFixed(0)} bytes a stop with its indexes; ${(sums / 1e6).toFixed(0)} MB of sums`);

  console.log("\nall questions of a page | fastest / median ms");
  const questions = [
    { page: "the team, 7 days", role: "member", filter: { days: 7, repository: null } },
    { page: "the team, 30 days", role: "member", filter: { days: 30, repository: null } },
    { page: "the team, 90 days", role: "member", filter: { days: 90, repository: null } },
    { page: "one repository, 30 days", role: "member", filter: { days: 30, repository: "repository-7" } },
    { page: "the team with its machines, 30 days", role: "admin", filter: { days: 30, repository: null } },
  ] as const;
  for (const { page, role, filter } of questions) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = performance.now();
      await readFigures(team, role, filter, new Date());
      times.push(performance.now() - at);
    }
    console.log(`${page} | ${Math.min(...times).toFixed(1)} / ${percentile(times, 0.5).toFixed(1)}`);
  }
  await team.close();
} finally {
  await postgres.remove();
}
