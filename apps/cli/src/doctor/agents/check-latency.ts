import { type Finding, ok, warn } from "../finding.ts";
import type { AgentCase, SentCanary } from "./agent-case.ts";

/** What a person does not notice at the end of a turn. */
const BUDGET_MS = 250;
/** A judged stop takes about four times what Node takes to start; on a slow or busy machine both take longer. */
const MOST_TIMES = 6;

/** What was measured. */
interface Measured extends Pick<AgentCase, "nodeStartMs"> {
  readonly canaries: readonly Pick<SentCanary, "stopMs">[];
}

/** How long one judged stop takes, against a budget and against the start of Node itself. */
export function checkLatency({ canaries, nodeStartMs }: Measured): readonly Finding[] {
  const measured = canaries.map(({ stopMs }) => stopMs).filter((ms) => ms !== null);
  if (measured.length === 0 || nodeStartMs === null) return [];
  const ms = Math.max(...measured);
  const times = ms / nodeStartMs;
  const what = `${Math.round(ms)} ms for a judged stop, ${times.toFixed(1)} times the start of Node (${Math.round(nodeStartMs)} ms)`;
  if (ms <= BUDGET_MS) return [ok(what)];
  if (times <= MOST_TIMES) return [ok(`${what}: above the budget of ${BUDGET_MS} ms, as this machine is slow or busy`)];
  return [
    warn(
      `${what}; the budget is ${BUDGET_MS} ms`,
      "See what the command runs besides checkpoint-hook; a wrapper such as npx takes its time.",
    ),
  ];
}
