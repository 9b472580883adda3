import { httpTarget, type TeamRow } from "@agent-checkpoint/team";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fold } from "./database/connect.ts";
import { type ServedTeam, serveTeam } from "./serve-team.ts";
import { isPostgresMissing, type Postgres, startPostgres } from "./testing/start-postgres.ts";
import { aMachine, aRow, sumsAndRows } from "./testing/team-stage.ts";

const isMissing = isPostgresMissing();
let postgres: Postgres;
let served: ServedTeam;
beforeAll(async () => {
  if (isMissing) return;
  postgres = await startPostgres();
  const databaseUrl = await postgres.database("machines");
  const rest = { team: "shop", host: "127.0.0.1", port: 0, tls: null, isBehindProxy: false, keepMonths: 13 } as const;
  served = await serveTeam({ databaseUrl, ...rest, log: () => undefined });
}, 60_000);
afterAll(async () => {
  if (isMissing) return;
  await served.close();
  await postgres.remove();
}, 60_000);

const MACHINES = 1000;
const BATCHES = 2;
const ROWS = 100;
const AT_ONCE = 16;

test.skipIf(isMissing)(
  "a thousand machines send 200,000 rows, a tenth of the batches twice, out of order: each row once",
  async () => {
    const begun = Date.now();
    const rowsOf = (machine: number, batch: number): readonly TeamRow[] =>
      Array.from({ length: ROWS }, (_, index) => {
        const number = (machine * BATCHES + batch) * ROWS + index;
        const at = new Date(begun - (number % 80) * 86_400_000 - number).toISOString();
        return aRow(number, {
          at,
          repository: `r${machine % 40}`,
          decision: index % 5 === 0 ? "block" : "pass",
          durationMs: index,
        });
      });
    const jobs: (() => Promise<void>)[] = [];
    for (let machine = 0; machine < MACHINES; machine += 1)
      jobs.push(async () => {
        const { token } = await aMachine(served.database);
        const target = httpTarget({ url: served.url, token });
        const order = machine % 2 === 0 ? [0, 1] : [1, 0];
        for (const batch of [...order, ...(machine % 5 === 0 ? [0] : [])]) {
          let answer = await target.send(rowsOf(machine, batch));
          // As the worker does: later is later.
          for (let again = 0; !answer.ok && answer.reason === "later" && again < 50; again += 1) {
            await new Promise((resolve) => setTimeout(resolve, 100));
            answer = await target.send(rowsOf(machine, batch));
          }
          expect(answer).toMatchObject({ ok: true, refused: [] });
        }
      });
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await job();
      }),
    );
    const { rows } = await served.database.pool.query(
      "select count(*)::int as rows, count(distinct uid)::int as ids, count(distinct machine_id)::int as machines from checkpoint.stops",
    );
    expect(rows).toEqual([{ rows: MACHINES * BATCHES * ROWS, ids: MACHINES * BATCHES * ROWS, machines: MACHINES }]);
    // The service folds at the same time, and one process folds at a time: until nothing is left.
    for (;;) {
      await fold(served.database);
      const left = await served.database.pool.query("select from checkpoint.stop_shares limit 1");
      if (left.rows.length === 0) break;
    }
    const [sums, counted] = await sumsAndRows(served.database);
    expect(sums).toEqual(counted);
  },
  120_000,
);
