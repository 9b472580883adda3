import { agentOf } from "@agent-checkpoint/agents";
import { OUTCOME_NAMES } from "@agent-checkpoint/store";
import {
  bar,
  type Content,
  figureList,
  html,
  legend,
  type Markup,
  percent,
  renderPage,
  table,
  trendSection,
  type Verdict,
  weighPeriod,
} from "@agent-checkpoint/page";
import { counted, formatNumber } from "../terminal/layout.ts";
import { formatAgo, formatDuration } from "../time/format-time.ts";
import type { DashboardFilter, Figures, LastStop, RuleFigures } from "./read-figures.ts";

/** How the page is looked at: from a server, which can answer further questions, or as a file. */
export interface DashboardLook {
  readonly isLive: boolean;
  readonly isRefreshed: boolean;
}

export const PERIODS: readonly number[] = [7, 30, 90];

/** The page: whether the checkpoint helps, in ten seconds, and then why. */
export function renderDashboard(figures: Figures, look: DashboardLook): string {
  const { word, look: tone, text } = verdictOf(figures);
  return renderPage(
    `${word} · agent-checkpoint`,
    html`<a class="skip" href="#rules">To the rules</a>
      <main>
        <header>
          <p class="brand">agent-checkpoint · ${subjectOf(figures.filter)}</p>
          <h1><span class="${tone}">${word}.</span> ${text}</h1>
          ${look.isLive && figures.agents.length > 0 ? filterForm(figures, look) : null}
        </header>
        ${figures.agents.length === 0 ? FIRST_STEPS : panels(figures, look)} ${footer(figures, look)}
      </main>`,
  );
}

function panels(figures: Figures, look: DashboardLook): Content {
  return [
    fiveFigures(figures),
    trendSection(figures.trend),
    ruleSection(figures, look),
    noiseSection(figures),
    repositorySection(figures, look),
    lastSection(figures, look),
  ];
}

/** Where nothing is recorded, panels would show nothing. */
const FIRST_STEPS: Markup = html`<section>
  <h2>What to do</h2>
  <ol>
    <li><code>checkpoint init</code> registers the hooks of the agents on this machine.</li>
    <li><code>checkpoint doctor</code> sends a test stop through them, and says what is in the way.</li>
    <li>Let an agent end a turn: its stop is here a minute later.</li>
  </ol>
</section>`;

function subjectOf({ days, agent, repository, rule }: DashboardFilter): string {
  const parts = [
    `last ${days} days`,
    agent === null ? "all agents" : agentOf(agent).title,
    repository ?? "all repositories",
    ...(rule === null ? [] : [`rule ${rule}`]),
  ];
  return parts.join(" · ");
}

/** One sentence: the shares decide, and too little to go by is said. */
export function verdictOf({ period, filter: { days } }: Pick<Figures, "period" | "filter">): Verdict {
  return weighPeriod(period, `No stop was recorded in the last ${days} days.`);
}

function filterForm({ filter, agents, repositories, rules }: Figures, { isRefreshed }: DashboardLook): Markup {
  const chosen = <Value extends string>(names: readonly Value[], name: Value | null): readonly Value[] => [
    ...new Set([...names, ...(name === null ? [] : [name])]),
  ];
  const select = (name: string, label: string, options: readonly (readonly [string, string])[], value: string) =>
    html`<label
      >${label}
      <select name="${name}">
        ${options.map(
          ([id, text]) => html`<option value="${id}" ${id === value ? html`selected` : null}>${text}</option>`,
        )}
      </select></label
    >`;
  const orAll = (all: string, rows: readonly (readonly [string, string])[]) => [["", all] as const, ...rows];
  const named = chosen(
    repositories.flatMap(({ repository }) => repository ?? []),
    filter.repository,
  );
  const same = (name: string) => [name, name] as const;
  return html`<form class="filters" method="get" role="search" aria-label="Filters">
    ${select(
      "days",
      "Period",
      PERIODS.map((days) => [String(days), `${days} days`]),
      String(filter.days),
    )}
    ${select(
      "agent",
      "Agent",
      orAll(
        "All agents",
        chosen(
          agents.map(({ agent }) => agent),
          filter.agent,
        ).map((agent) => [agent, agentOf(agent).title]),
      ),
      filter.agent ?? "",
    )}
    ${select("repository", "Repository", orAll("All repositories", named.map(same)), filter.repository ?? "")}
    ${select(
      "rule",
      "Rule",
      orAll(
        "All rules",
        chosen(
          rules.map(({ rule }) => rule),
          filter.rule,
        ).map(same),
      ),
      filter.rule ?? "",
    )}
    ${isRefreshed ? null : html`<input type="hidden" name="refresh" value="off" />`}
    <button>Show</button>
    <span class="small"
      >${isRefreshed ? "Refreshed every minute. " : "Not refreshed. "}<a href="./?${queryOf(filter, !isRefreshed)}"
        >${isRefreshed ? "Stop that" : "Refresh every minute"}</a
      ></span
    >
  </form>`;
}

/** The filters as the query of an address. */
function queryOf({ days, agent, repository, rule }: DashboardFilter, isRefreshed: boolean): string {
  const given = { days: String(days), agent, repository, rule, refresh: isRefreshed ? null : "off" };
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]])),
  ).toString();
}

function fiveFigures({ period, before, cost, hookMs, agents, now }: Figures): Markup {
  const { outcomes, known } = period;
  const earlier = (part: number, whole: number) => (whole === 0 ? "" : ` Before: ${percent(part, whole)}.`);
  const left = (of: typeof outcomes) => of.ignored + of.waived;
  const tokens = cost.tokens === null ? "" : `${formatNumber(cost.tokens)} tokens of work. `;
  const hook =
    hookMs.median === null ? "" : `The hook itself: ${hookMs.median} ms, ${hookMs.p95 ?? hookMs.median} ms at p95.`;
  return figureList([
    [
      "Blocked",
      percent(period.blocked, period.stops),
      `${formatNumber(period.blocked)} of ${counted(period.stops, "stop")}.${earlier(before.blocked, before.stops)}`,
    ],
    [
      "Then done",
      percent(outcomes.done, known),
      `${formatNumber(outcomes.done)} of ${formatNumber(known)}, ${formatNumber(outcomes.unknown)} not known.${earlier(before.outcomes.done, before.known)}`,
    ],
    [
      "Ignored or waived",
      percent(left(outcomes), known),
      `${formatNumber(outcomes.ignored)} and ${formatNumber(outcomes.waived)}.${earlier(left(before.outcomes), before.known)}`,
    ],
    ["A block costs", cost.seconds === null ? "–" : formatDuration(cost.seconds), `${tokens}${hook}`],
    [
      "Last firing",
      agents[0] === undefined ? "never" : formatAgo(agents[0].last, now),
      agents.map(({ agent, last, isQuiet }) => [
        html`<span class="${isQuiet ? "quiet" : ""}"
          >${agentOf(agent).title} ${formatAgo(last, now)}${isQuiet ? ", gone quiet" : ""}</span
        >`,
        html`<br />`,
      ]),
    ],
  ]);
}

const RULE_COLUMNS = [
  { heading: "rule" },
  { heading: "asked", look: "num" },
  { heading: "what came of it", look: "wide extra" },
  { heading: "worth asking" },
  { heading: "a block with it", look: "num extra" },
];

function ruleSection({ rules, filter }: Figures, look: DashboardLook): Markup {
  const shown = rules.filter(({ rule }) => filter.rule === null || rule === filter.rule);
  const seen = OUTCOME_NAMES.filter((name) => shown.some(({ counts }) => counts[name] > 0));
  return html`<section id="rules">
    <h2>Rules</h2>
    ${
      shown.length === 0
        ? html`<p class="small">No rule has asked for anything of which the outcome is known.</p>`
        : [
            legend(seen.map((name) => [name, name === "unknown" ? "not known" : name])),
            table(
              "Rules",
              RULE_COLUMNS,
              shown.map((row) => ruleCells(row, filter, look)),
            ),
            html`<p class="small">
              Worth asking: the share of the last 60 known answers that were done, and the interval in which it truly
              lies (90 %). Of a rule in shadow, which is judged and never said: the share that came by itself, or was
              committed or left without it.
            </p>`,
          ]
    }
  </section>`;
}

function ruleCells(
  { rule, mode, asked, counts, worth, isNoise, seconds }: RuleFigures,
  filter: DashboardFilter,
  { isLive, isRefreshed }: DashboardLook,
): readonly Content[] {
  const parts = OUTCOME_NAMES.map((name) => ({ look: name, value: counts[name] }));
  const label = parts.flatMap(({ look, value }) => (value === 0 ? [] : [`${look} ${value}`])).join(", ");
  const whole = (share: number) => Math.round(share * 100);
  return [
    html`<b
        >${
          isLive && filter.rule !== rule
            ? html`<a class="plain" href="./?${queryOf({ ...filter, rule }, isRefreshed)}">${rule}</a>`
            : rule
        }</b
      >
      ${mode === "require" ? null : html`<span class="tag">${mode}</span>`}
      ${isNoise ? html`<a class="tag noise" href="#noise">noise?</a>` : null}
      <span class="under">${bar(parts, asked, { label })}</span>`,
    formatNumber(asked),
    bar(parts, asked, { label }),
    worth === null
      ? "–"
      : html`<svg class="interval" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect x="${whole(worth.low)}" width="${whole(worth.high) - whole(worth.low)}" y="2" height="6" />
            <rect class="at" x="${whole(worth.of) - 1.5}" width="3" height="10" /></svg
          >${whole(worth.of)} % <span class="small">${whole(worth.low)}–${whole(worth.high)}</span>`,
    seconds === null ? "–" : formatDuration(seconds),
  ];
}

function noiseSection({ noise }: Figures): Markup {
  return html`<section>
    <h2 id="noise">Looks like noise</h2>
    ${
      noise.length === 0
        ? html`<p class="small">No rule's answers speak for another mode.</p>`
        : html`<ul class="card noisy">
            ${noise.map(
              ({ rule, repository, agent, left, known, command }) =>
                html`<li>
                  <b>${rule}</b> in ${repository}: ${formatNumber(left)} of its last
                  ${counted(known, "known answer")}${agent === null ? "" : ` by ${agent}`} were ignored or waived. In
                  that folder, this lets it speak only where something else blocks:<br /><code>${command}</code>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

/** So many repositories say enough. */
const MAX_REPOSITORIES = 15;

function repositorySection({ repositories, filter }: Figures, { isLive, isRefreshed }: DashboardLook): Content {
  const shown = repositories.filter(({ repository }) => filter.repository === null || repository === filter.repository);
  if (shown.length === 0) return null;
  const more = shown.length - MAX_REPOSITORIES;
  const numbers = ["stops", "blocked", "share", "done"].map((heading) => ({ heading, look: "num" }));
  return html`<section>
    <h2>Repositories</h2>
    ${table(
      "Repositories",
      [{ heading: "repository" }, ...numbers],
      shown
        .slice(0, MAX_REPOSITORIES)
        .map(({ repository, stops, blocked, done, known }) => [
          repository === null
            ? "none"
            : isLive
              ? html`<a href="./?${queryOf({ ...filter, repository }, isRefreshed)}">${repository}</a>`
              : repository,
          formatNumber(stops),
          formatNumber(blocked),
          percent(blocked, stops),
          percent(done, known),
        ]),
    )}
    ${more > 0 ? html`<p class="small">and ${counted(more, "repository", "repositories")} with fewer stops</p>` : null}
  </section>`;
}

const LAST_COLUMNS = [
  { heading: "stop" },
  { heading: "when", look: "extra" },
  { heading: "agent", look: "extra" },
  { heading: "" },
  { heading: "asked for, or why it passed", look: "text" },
  { heading: "repository", look: "extra text" },
];

function lastSection({ last, now }: Figures, { isLive }: DashboardLook): Content {
  if (last.length === 0) return null;
  return html`<section>
    <h2>Last stops</h2>
    ${table(
      "Last stops",
      LAST_COLUMNS.map((column) => (column.heading === "" ? { ...column, heading: "decision" } : column)),
      last.map((stop) => {
        const { title } = agentOf(stop.agent);
        const when = html`<time datetime="${stop.at.toISOString()}" title="${stop.at.toISOString()}"
          >${formatAgo(stop.at, now)}</time
        >`;
        return [
          html`${isLive ? html`<a href="./stops/${stop.id}">Stop ${stop.id}</a>` : html`Stop ${stop.id}`}<span
              class="under small"
              >${when}, ${title}</span
            >`,
          when,
          title,
          decisionMark(stop.decision),
          askedCell(stop),
          stop.repository === null
            ? "none"
            : html`<span class="clip" title="${stop.repository}">${nameOf(stop.repository)}</span>`,
        ];
      }),
    )}
  </section>`;
}

/** The last part of a path, which says enough in a row; the whole is in the table of repositories. */
function nameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** Whether a stop was blocked, as a word that stands out. */
export function decisionMark(decision: LastStop["decision"]): Markup {
  return html`<span class="decision ${decision}">${decision === "block" ? "blocked" : "passed"}</span>`;
}

function askedCell({ asked, reason }: LastStop): Content {
  if (asked.length === 0) return reason.replaceAll("-", " ");
  return asked.map(
    ({ rule, outcome }) =>
      html`<span class="said"
        ><span class="key ${outcome ?? "unknown"}"></span>${rule}
        <span class="small"
          >${outcome === null ? "not ended" : outcome === "unknown" ? "not known" : outcome}</span
        ></span
      >`,
  );
}

function footer({ now, last }: Figures, { isLive }: DashboardLook): Markup {
  return html`<footer>
    <p>
      Made ${now.toISOString().slice(0, 16).replace("T", " ")} UTC from the record on this machine, without canaries.
      ${
        isLive
          ? "Only this browser can see it; it ends 30 minutes after your last click, or with Ctrl-C in its terminal."
          : html`<code>checkpoint why ${last[0]?.id ?? 1}</code> tells everything about one stop.`
      }
    </p>
  </footer>`;
}
