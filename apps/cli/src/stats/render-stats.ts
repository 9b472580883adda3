import type { Style } from "../terminal/style.ts";
import { type Column, counted, formatNumber, renderTable, right, wrapText } from "../terminal/layout.ts";
import { visible } from "../terminal/visible.ts";
import { formatDuration } from "../time/format-time.ts";
import { type Latency, type Outcome, type OutcomeCounts, OUTCOMES, type RuleStats, type Stats } from "./build-stats.ts";

export interface StatsLook {
  readonly style: Style;
  readonly columns: number;
  readonly isUnicode: boolean;
  /** Which stops were counted, in words. */
  readonly subject: string;
}

export function renderStats(stats: Stats, look: StatsLook): string {
  if (stats.stops === 0)
    return wrapText(
      `No stops are recorded ${look.subject}. checkpoint doctor proves that the hooks fire; --all counts every repository.`,
      look,
    );
  return [
    headline(stats, look),
    asked(stats, look),
    noise(stats, look),
    observations(stats, look),
    passes(stats, look),
    agents(stats, look),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function headline(stats: Stats, { style, subject, columns }: StatsLook): string {
  const { stops, blocked, passed, passReasons, messages, cost, latency } = stats;
  const again = passReasons.filter(({ reason }) => AFTER_BLOCK.has(reason)).reduce((sum, { count }) => sum + count, 0);
  const each = messages.count === 0 ? 0 : Math.round(messages.estimatedTokens / messages.count);
  const lines = [
    `${counted(stops, "stop")} ${subject}: ${style.bold(`${formatNumber(blocked)} blocked`)}, ${formatNumber(passed)} passed${again === 0 ? "" : `, ${formatNumber(again)} of them because their turn had already been blocked`}.`,
    blocked === 0
      ? ""
      : `The messages took about ${formatNumber(messages.estimatedTokens)} tokens, ${formatNumber(each)} each (estimated at 4 characters a token).`,
    cost.seconds === null
      ? ""
      : `From a block to the end of its turn it took ${formatDuration(cost.seconds)}${cost.tokens === null ? "" : ` and ${formatNumber(cost.tokens)} tokens`} in the median.`,
    `A stop took ${timing(latency.all)}${latency.judged.stops === 0 ? "" : `; if changes were judged, ${timing(latency.judged)}`}.`,
  ];
  return lines
    .filter((line) => line !== "")
    .map((line) => wrapText(line, { columns }))
    .join("");
}

/** The pass reasons of a turn that was already blocked. */
const AFTER_BLOCK: ReadonlySet<string> = new Set(["asked-before", "already-blocked"]);

const OUTCOME_COLUMNS: readonly Column[] = OUTCOMES.map((outcome) => right(outcome.toUpperCase()));

function asked({ rules, unknown }: Stats, look: StatsLook): string {
  if (rules.length === 0) return "";
  const rows = rules.map(({ rule, asked: times, outcomes, isNoise }) => [
    isNoise ? look.style.warn(shortened(rule)) : shortened(rule),
    formatNumber(times),
    ...OUTCOMES.map((outcome) => formatNumber(outcomes[outcome])),
    outcomeBar(outcomes, look),
  ]);
  const table = renderTable(["ASKED FOR", right("TIMES"), ...OUTCOME_COLUMNS, ""], rows);
  const reasons = unknown.map(({ why, count }) => `${formatNumber(count)} ${UNKNOWN[why] ?? visible(why)}`).join(", ");
  const legend = OUTCOMES.map((outcome) => `${marks(look)[outcome]} ${outcome}`).join("  ");
  const note = `partly: tried, but it failed, hid its result, or went stale.${reasons === "" ? "" : ` unknown: ${reasons}.`}`;
  return `${table}${look.style.dim(legend)}\n${wrapText(note, look)}`;
}

const UNKNOWN: Readonly<Record<string, string>> = {
  "no-trail": "without a transcript",
  "transcript-gone": "whose transcript is gone",
  "still-running": "in turns that have not ended",
  "cut-short": "in turns that were cut short",
  "rules-changed": "whose rules have changed since",
  "repository-gone": "whose repository is gone",
};

function noise({ rules }: Stats, { style, columns }: StatsLook): string {
  const noisy = rules.filter(({ isNoise }) => isNoise);
  if (noisy.length === 0) return "";
  const list = noisy.map((rule) => `${shortened(rule.rule)} (ignored or waived ${share(rule)})`).join(", ");
  const advice =
    "checkpoint rules shows more, and after `checkpoint rules set <rule> advise` it is mentioned only if something else blocks.";
  return wrapText(`${style.warn("Looks like noise:")} ${list}. ${advice}`, { columns });
}

function share({ outcomes: { done, partly, ignored, waived } }: RuleStats): string {
  return `${formatNumber(ignored + waived)} of ${formatNumber(done + partly + ignored + waived)} times`;
}

function observations({ observations: rows }: Stats, look: StatsLook): string {
  if (rows.length === 0) return "";
  const most = Math.max(...rows.map(({ made }) => made));
  return renderTable(
    ["OBSERVED", right("STOPS"), right("SENT"), ""],
    rows.map(({ check, made, sent }) => [check, formatNumber(made), formatNumber(sent), bar(made / most, look)]),
  );
}

function passes({ passReasons, passed }: Stats, look: StatsLook): string {
  if (passReasons.length === 0) return "";
  return renderTable(
    ["PASSED FOR", right("STOPS"), right(""), ""],
    passReasons.map(({ reason, count }) => [
      visible(reason),
      formatNumber(count),
      percent(count, passed),
      bar(count / passed, look),
    ]),
  );
}

function agents({ agents: rows }: Stats, look: StatsLook): string {
  return renderTable(
    [
      "AGENT",
      right("STOPS"),
      right("BLOCKED"),
      ...OUTCOME_COLUMNS,
      right("MEDIAN"),
      right("P95"),
      ...(look.columns >= WIDE ? [""] : []),
    ],
    rows.map(({ agent, stops, blocked, outcomes, latency }) => [
      agent,
      formatNumber(stops),
      formatNumber(blocked),
      ...OUTCOMES.map((outcome) => formatNumber(outcomes[outcome])),
      milliseconds(latency.medianMs),
      milliseconds(latency.p95Ms),
      ...(look.columns >= WIDE ? [outcomeBar(outcomes, look)] : []),
    ]),
  );
}

/** The minimum width for bars in the table of agents. */
const WIDE = 100;

const BAR = 16;

function bar(part: number, look: StatsLook): string {
  return look.style.dim(marks(look).done.repeat(Math.max(1, Math.round(part * BAR))));
}

/** One bar divided in proportion to the outcomes. */
function outcomeBar(outcomes: OutcomeCounts, look: StatsLook): string {
  const times = OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const { style } = look;
  const colours: Readonly<Record<Outcome, (text: string) => string>> = {
    done: style.good,
    partly: style.warn,
    ignored: style.bad,
    waived: style.name,
    unknown: style.dim,
  };
  let before = 0;
  return OUTCOMES.map((outcome) => {
    const start = Math.round((before / times) * BAR);
    before += outcomes[outcome];
    const length = times === 0 ? 0 : Math.round((before / times) * BAR) - start;
    return length === 0 ? "" : colours[outcome](marks(look)[outcome].repeat(length));
  }).join("");
}

/** Distinguishable without colours. */
function marks({ isUnicode }: StatsLook): Readonly<Record<Outcome, string>> {
  return isUnicode
    ? { done: "█", partly: "▓", ignored: "░", waived: "◆", unknown: "·" }
    : { done: "#", partly: "+", ignored: "-", waived: "o", unknown: "." };
}

const MAX_RULE_LENGTH = 24;

function shortened(rule: string): string {
  const name = visible(rule);
  return name.length > MAX_RULE_LENGTH ? `${name.slice(0, MAX_RULE_LENGTH - 1)}…` : name;
}

function timing({ medianMs, p95Ms }: Latency): string {
  return `${milliseconds(medianMs)} in the median and ${milliseconds(p95Ms)} at the 95th percentile`;
}

function milliseconds(value: number | null): string {
  return value === null ? "-" : `${formatNumber(value)} ms`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${Math.round((part / whole) * 100)} %`;
}
