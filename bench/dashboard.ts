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
  const [times, processor]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const filter = { days: 30, agent: null, repository: null, rule: null };
    const figures = await withStore(home, (store) => readFigures(store, filter, { home, now }));
    renderDashboard(figures, { isLive: true, isRefreshed: true });
    times.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1000);
  }
  const say = ([first = 0, ...others]: readonly number[]) => {
    const sorted = others.toSorted((one, other) => one - other);
    return `first page ${first.toFixed(0)} ms, then ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms in the median, ${sorted[0]?.toFixed(0)} ms at best`;
  };
  console.log(`${stops.toLocaleString("en-US")} stops: ${say(times)}; processor: ${say(processor)}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
