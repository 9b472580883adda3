import { html, type Markup } from "./html.ts";
import { counted, formatNumber } from "./numbers.ts";
import { legend, percent, table } from "./parts.ts";

/** A day of a trend. */
export interface TrendDay {
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly stops: number;
  readonly blocked: number;
  readonly done: number;
  readonly known: number;
}

const WEEK = 7;
/** A share of fewer answers jumps from day to day. */
const MIN_OF_WEEK = 5;

/** Ninety days of stops and blocks, and how much of what was asked was done. */
export function trendSection(trend: readonly TrendDay[]): Markup {
  const most = Math.max(1, ...trend.map(({ stops }) => stops));
  const height = (value: number) => ((96 * value) / most).toFixed(1);
  const bars = trend.map(({ date, stops, blocked }, index) => {
    const rect = (look: string, value: number) =>
      html`<rect
        class="${look}"
        x="${index * 10 + 1}"
        width="8"
        y="${(100 - Number(height(value))).toFixed(1)}"
        height="${height(value)}"
      />`;
    return html`<g>
      <title>${date}: ${counted(stops, "stop")}, ${formatNumber(blocked)} blocked</title>
      ${rect("stops", stops)} ${rect("block", blocked)}
    </g>`;
  });
  const points = trend.flatMap((_, index) => {
    const week = trend.slice(Math.max(0, index - WEEK + 1), index + 1);
    const known = sum(week, "known");
    return known < MIN_OF_WEEK ? [] : [`${index * 10 + 5},${(100 - (96 * sum(week, "done")) / known).toFixed(1)}`];
  });
  const weeks = Array.from({ length: Math.ceil(trend.length / WEEK) }, (_, index) =>
    trend.slice(index * WEEK, (index + 1) * WEEK),
  );
  return html`<section>
    <h2>Ninety days</h2>
    <div class="card chart">
      <div class="axis"><span>${counted(most, "stop")} a day</span><span>100 % done</span></div>
      <svg
        class="trend"
        viewBox="0 0 900 100"
        preserveAspectRatio="none"
        role="img"
        aria-label="Stops and blocks by day, and the share of what was asked that was done; the table below has the figures by week"
      >
        <line x1="0" x2="900" y1="52" y2="52" />
        <line x1="0" x2="900" y1="99.5" y2="99.5" />
        ${bars}
        <polyline points="${points.join(" ")}" />
      </svg>
      <div class="axis">
        ${[0, 44, trend.length - 1].map((index) => html`<span>${trend[index]?.date ?? ""}</span>`)}
      </div>
      ${legend([
        ["stops", "stops"],
        ["block", "blocked"],
        ["done line", "share done, of a week"],
      ])}
    </div>
    <details class="more">
      <summary>The same by week, as a table</summary>
      ${table(
        "Weeks",
        [
          { heading: "week of" },
          ...["stops", "blocked", "asked and known", "done"].map((heading) => ({ heading, look: "num" })),
        ],
        weeks.map((week) => [
          week[0]?.date ?? "",
          formatNumber(sum(week, "stops")),
          formatNumber(sum(week, "blocked")),
          formatNumber(sum(week, "known")),
          percent(sum(week, "done"), sum(week, "known")),
        ]),
      )}
    </details>
  </section>`;
}

function sum(days: readonly TrendDay[], figure: "stops" | "blocked" | "done" | "known"): number {
  return days.reduce((total, day) => total + day[figure], 0);
}
