import {
  bar,
  type Content,
  counted,
  figureList,
  formatNumber,
  html,
  legend,
  type Markup,
  percent,
  renderPage,
  table,
  trendSection,
  weighPeriod,
} from "@agent-checkpoint/page";
import { knownOf, type TeamFigures } from "./read-figures.ts";

export const PERIODS: readonly number[] = [7, 30, 90];

/** The outcomes in the order of tables. */
const OUTCOMES = ["done", "partly", "ignored", "waived", "escaped", "moot", "unknown"] as const;

/** The team's page: whether the checkpoint helps all of us, which rules are noise, and where nothing is verified. */
export function renderTeamPage(figures: TeamFigures, team: string): string {
  const { period, filter } = figures;
  const { done = 0, ignored = 0, waived = 0 } = period.outcomes;
  const { word, look, text } = weighPeriod(
    { ...period, known: knownOf(period.outcomes), outcomes: { done, ignored, waived } },
    `No machine has sent a stop of the last ${filter.days} days.`,
  );
  return renderPage(
    `${word} · ${team} · agent-checkpoint`,
    html`<a class="skip" href="#rules">To the rules</a>
      <main>
        <header>
          <p class="brand">
            agent-checkpoint · ${team} · last ${filter.days} days · ${filter.repository ?? "all repositories"}
          </p>
          <h1><span class="${look}">${word}.</span> ${text}</h1>
          ${filterForm(figures)}
        </header>
        ${fourFigures(figures)} ${trendSection(figures.trend)} ${ruleSection(figures)} ${repositorySection(figures)}
        ${machineSection(figures)}
        <footer>
          <p>
            Made ${figures.now.toISOString().slice(0, 16).replace("T", " ")} UTC from the sums of each day (UTC).
            ${figures.machines === null ? "It shows sums, and no machine by itself." : "Machines are shown to admins only."}
          </p>
        </footer>
      </main>`,
  );
}

function filterForm({ filter, repositories }: TeamFigures): Markup {
  const names = [
    ...new Set([...repositories.map(({ name }) => name), ...(filter.repository === null ? [] : [filter.repository])]),
  ].filter((name) => name !== "");
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}" ${value === chosen ? html`selected` : null}>${text}</option>`;
  return html`<form class="filters" method="get" role="search" aria-label="Filters">
    <label
      >Period
      <select name="days">
        ${PERIODS.map((days) => option(String(days), `${days} days`, String(filter.days)))}
      </select></label
    >
    <label
      >Repository
      <select name="repository">
        ${option("", "All repositories", filter.repository ?? "")}
        ${names.map((name) => option(name, name, filter.repository ?? ""))}
      </select></label
    >
    <button>Show</button>
  </form>`;
}

function fourFigures({ period, before, agents }: TeamFigures): Markup {
  const [known, knownBefore] = [knownOf(period.outcomes), knownOf(before.outcomes)];
  const { done = 0, ignored = 0, waived = 0, unknown = 0 } = period.outcomes;
  const earlier = (part: number, whole: number) => (whole === 0 ? "" : ` Before: ${percent(part, whole)}.`);
  return figureList([
    [
      "Blocked",
      percent(period.blocked, period.stops),
      `${formatNumber(period.blocked)} of ${counted(period.stops, "stop")}.${earlier(before.blocked, before.stops)}`,
    ],
    [
      "Then done",
      percent(done, known),
      `${formatNumber(done)} of ${formatNumber(known)}, ${formatNumber(unknown)} not known.${earlier(before.outcomes["done"] ?? 0, knownBefore)}`,
    ],
    ["Ignored or waived", percent(ignored + waived, known), `${formatNumber(ignored)} and ${formatNumber(waived)}.`],
    [
      "A block costs",
      period.seconds === null ? "–" : `${formatNumber(period.seconds)} s`,
      period.hookMs === null ? "" : `The hook itself: ${formatNumber(period.hookMs)} ms on the average.`,
    ],
    [
      "Agents",
      formatNumber(agents.length),
      agents.map(({ agent, stops, blocked }) => [
        `${agent}: ${percent(blocked, stops)} of ${formatNumber(stops)}`,
        html`<br />`,
      ]),
    ],
  ]);
}

const RULE_COLUMNS = [
  { heading: "rule" },
  { heading: "asked", look: "num" },
  { heading: "what came of it", look: "wide extra" },
  { heading: "done", look: "num" },
  { heading: "ignored or waived", look: "num" },
];

/** A rule with fewer known answers is not called noise. */
const MIN_KNOWN = 8;
const Z_95 = 1.96;

/**
 * Whether a rule is mostly ignored or waived, by the bound that `checkpoint rules` uses for one machine: the lower one of
 * Wilson's 95 % interval lies above a half exactly if this holds.
 */
function isNoise(left: number, known: number): boolean {
  return known >= MIN_KNOWN && left - known / 2 > (Z_95 / 2) * Math.sqrt(known);
}

function ruleSection({ rules }: TeamFigures): Markup {
  const seen = OUTCOMES.filter((name) => rules.some(({ outcomes }) => (outcomes[name] ?? 0) > 0));
  return html`<section id="rules">
    <h2>Rules</h2>
    ${
      rules.length === 0
        ? html`<p class="small">No rule has asked for anything of which the outcome is known.</p>`
        : [
            legend(seen.map((name) => [name, name === "unknown" ? "not known" : name])),
            table("Rules", RULE_COLUMNS, rules.map(ruleCells)),
          ]
    }
  </section>`;
}

function ruleCells({ rule, mode, asked, outcomes }: TeamFigures["rules"][number]): readonly Content[] {
  const known = knownOf(outcomes);
  const left = (outcomes["ignored"] ?? 0) + (outcomes["waived"] ?? 0);
  const parts = OUTCOMES.map((look) => ({ look, value: outcomes[look] ?? 0 }));
  const label = parts.flatMap(({ look, value }) => (value === 0 ? [] : [`${look} ${value}`])).join(", ");
  return [
    html`<b>${rule}</b> ${mode === "require" ? null : html`<span class="tag">${mode}</span>`}
      ${isNoise(left, known) ? html`<span class="tag noise">noise?</span>` : null}
      <span class="under">${bar(parts, asked, { label })}</span>`,
    formatNumber(asked),
    bar(parts, asked, { label }),
    percent(outcomes["done"] ?? 0, known),
    percent(left, known),
  ];
}

function repositorySection({ repositories, filter }: TeamFigures): Content {
  if (repositories.length === 0) return null;
  const numbers = ["stops", "blocked", "share", "done"].map((heading) => ({ heading, look: "num" }));
  return html`<section>
    <h2>Repositories</h2>
    ${table(
      "Repositories",
      [{ heading: "repository" }, ...numbers],
      repositories.map(({ name, stops, blocked, done, known }) => [
        name === ""
          ? "none"
          : html`<a href="?days=${filter.days}&amp;repository=${encodeURIComponent(name)}">${name}</a>`,
        formatNumber(stops),
        formatNumber(blocked),
        percent(blocked, stops),
        percent(done, known),
      ]),
    )}
  </section>`;
}

function machineSection({ machines, now }: TeamFigures): Content {
  if (machines === null) return null;
  const day = (date: Date | null) => (date === null ? "never" : date.toISOString().slice(0, 16).replace("T", " "));
  const isSilent = (last: Date) => now.getTime() - last.getTime() > 7 * 86_400_000;
  return html`<section>
    <h2>Machines</h2>
    ${table(
      "Machines",
      [
        { heading: "machine" },
        { heading: "last sync" },
        { heading: "client", look: "extra" },
        { heading: "joined", look: "extra" },
      ],
      machines.map(({ id, name, joined_at, revoked_at, last_sync_at, client }) => [
        html`${name}
          <span class="small">${id}</span> ${revoked_at === null ? null : html`<span class="tag">revoked</span>`}
          ${revoked_at === null && isSilent(last_sync_at ?? joined_at) ? html`<span class="tag noise">silent</span>` : null}`,
        day(last_sync_at),
        client ?? "–",
        day(joined_at),
      ]),
    )}
  </section>`;
}
