/**
 * Measures the dashboard's page with a hundred thousand stops on record: what a request takes in the server, the first
 * one and the following. node bench/dashboard.ts [stops]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFigures } from "../apps/cli/src/dashboard/read-figures.ts";
import { renderDashboard } from "../apps/cli/src/dashboard/render-dashboard.ts";
import { stageRecord } from "../apps/cli/src/dashboard/testing/stage-record.ts";
import { withStore } from "../apps/cli/src/with-store.ts";

const ROUNDS = 10;
const stops = Number(process.argv[2] ?? 100_000);
const home = mkdtempSync(join(tmpdir(), "checkpoint-bench-"));
try {
  const now = new Date();
  await stageRecord(home, { stops, now, repositories: Array.from({ length: 20 }, (_, index) => `/work/${index}`) });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const filter = { days: 30, agent: null, repository: null, rule: null };
    const figures = await withStore(home, (store) => readFigures(store, filter, { home, now }));
    renderDashboard(figures, { isLive: true, isRefreshed: true });
    times.push(performance.now() - begun);
  }
  const [first = 0, ...others] = times;
  const middle = others.toSorted((one, other) => one - other)[Math.floor(others.length / 2)] ?? 0;
  console.log(
    `${stops.toLocaleString("en-US")} stops: first page ${first.toFixed(0)} ms, then ${middle.toFixed(0)} ms in the median, ${Math.min(...times).toFixed(0)} ms at best`,
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
