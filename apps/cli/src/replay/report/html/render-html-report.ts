import { agentOf } from "@agent-checkpoint/agents";
import type { Counts, Example } from "../../judge/summary.ts";
import type { ReplayReport, RuleReport, Totals } from "../build-report.ts";
import { inWords, moment } from "../words.ts";
import { counted, formatNumber } from "../../../terminal/layout.ts";
import { bar, type Content, figureList, html, type Markup, renderPage, table, withCode } from "@agent-checkpoint/page";

/** The report as one page that needs nothing else. */
export function renderHtmlReport(report: ReplayReport): string {
  const { totals } = report;
  return renderPage(
    `${formatNumber(totals.blocked)} of ${counted(totals.stops, "stop")} blocked · checkpoint replay`,
    html`<main>
      ${header(report)} ${figures(totals)} ${outcomeSection(report)} ${ruleSection(report)}
      ${totalsSection("Agent", agentRows(report))} ${totalsSection("Project", projectRows(report))}
      ${failedFiles(report)} ${footer(report)}
    </main>`,
  );
}

function header({ totals, agents, since, config }: ReplayReport): Markup {
  const title =
    totals.stops === 0
      ? "There was no stop to judge"
      : html`<b>${formatNumber(totals.blocked)}</b> of ${counted(totals.stops, "stop")} would have been <b>blocked</b>`;
  const whose = agents.map(({ agent }) => agentOf(agent).title).join(", ");
  const when = since === null ? "" : ` since ${since.slice(0, 10)}`;
  const by = config === null ? "the rules of each project" : html`the rules in <code>${config}</code>`;
  return html`<header>
    <p class="brand">checkpoint replay</p>
    <h1>${title}</h1>
    <p>${counted(totals.sessions, "session")} of ${whose === "" ? "no agent" : whose}${when}, judged by ${by}.</p>
  </header>`;
}

function figures({ sessions, turns, stops, blocked, blockedPercent, estimatedTokens }: Totals): Markup {
  return figureList([
    ["Sessions", formatNumber(sessions)],
    ["Turns", formatNumber(turns)],
    ["Stops", formatNumber(stops)],
    ["Blocked", `${blockedPercent} %`],
    ["Tokens a message*", formatNumber(blocked === 0 ? 0 : Math.round(estimatedTokens / blocked))],
    ["Tokens in all*", formatNumber(estimatedTokens)],
  ]);
}

function agentRows({ agents }: ReplayReport): readonly (readonly [string, Totals])[] {
  return agents.map((row) => [agentOf(row.agent).title, row]);
}

function projectRows({ projects }: ReplayReport): readonly (readonly [string, Totals])[] {
  return projects.map((row) => [row.project ?? "unknown project", row]);
}

function failedFiles({ files: { failed } }: ReplayReport): Content {
  if (failed.length === 0) return null;
  return html`<section>
    <h2>${counted(failed.length, "file")} could not be replayed</h2>
    <ul class="card files">
      ${failed.map(({ path, reason }) => html`<li><code>${path}</code> ${inWords(reason)}</li>`)}
    </ul>
  </section>`;
}

function footer({ generatedAt, version, files, totals: { blockedAfterCommit } }: ReplayReport): Markup {
  const committed =
    blockedAfterCommit === 0
      ? ""
      : ` ${counted(blockedAfterCommit, "blocked stop")} came after a commit of the turn's own: with a clean tree the checkpoint says less.`;
  return html`<footer>
    <h2>How to read this</h2>
    <ul>
      <li>
        Git is not asked about the past: the changed files of a turn are those that its own calls wrote.${committed}
      </li>
      <li>
        A turn is judged once, at its end. One that the user interrupted, that ended with an error, or that is not
        finished has no stop.
      </li>
      <li>Two numbers stand beside a rule: in how many messages it would have been, and in how many stops it fired.</li>
      <li>* Tokens are an estimate: four characters are taken for one.</li>
      <li>
        ${counted(files.replayed, "file")} replayed; ${counted(files.subAgents, "file")} of sub-agents left out, whose
        work is part of the session that started them.
      </li>
    </ul>
    <p>checkpoint ${version}, ${moment(generatedAt)} UTC</p>
  </footer>`;
}

/** How the turns ended, as one bar and with the reasons. */
function outcomeSection({ totals, blockedFor, passedFor, noStop }: ReplayReport): Markup {
  const { turns, stops, blocked } = totals;
  const groups = [
    { look: "block", title: "Would have been blocked", value: blocked, counts: blockedFor },
    { look: "pass", title: "Would have passed", value: stops - blocked, counts: passedFor },
    { look: "none", title: "Had no stop", value: turns - stops, counts: noStop },
  ] as const;
  return html`<section>
    <h2>What became of the turns</h2>
    <p class="small">
      A turn is what an agent does from one prompt to the next; a stop is when it says that it is done.
    </p>
    ${bar(groups, turns, { name: "bar tall" })}
    <div class="outcomes">
      ${groups.map(
        ({ look, title, value, counts }) =>
          html`<div>
            <h3><span class="key ${look}"></span>${title}: ${formatNumber(value)}</h3>
            ${reasons(counts)}
          </div>`,
      )}
    </div>
  </section>`;
}

function reasons(counts: Counts): Content {
  const entries = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  if (entries.length === 0) return null;
  const rows = entries.map(
    ([reason, value]) =>
      html`<li><span>${inWords(reason)}</span><span class="number">${formatNumber(value)}</span></li>`,
  );
  return html`<ul>
    ${rows}
  </ul>`;
}

/** The rules, each with its share of the stops and examples to open. */
function ruleSection({ rules, totals, noisePercent }: ReplayReport): Markup {
  const noise = rules.filter(({ isNoise }) => isNoise).length;
  const verdict =
    noise === 0
      ? `No rule would have spoken in more than ${noisePercent} % of the stops.`
      : `${counted(noise, "rule")} would have spoken in more than ${noisePercent} % of the stops, and may be noise.`;
  const rows = rules.map((rule) => ruleRow(rule, totals.stops));
  return html`<section>
    <h2>Rules</h2>
    <p class="small">${verdict} Open a rule for examples.</p>
    <div class="card">${rows.length === 0 ? html`<p class="files">No rule fired.</p>` : rows}</div>
  </section>`;
}

function ruleRow({ rule, kind, fired, sent, sentPercent, isNoise, examples }: RuleReport, stops: number): Markup {
  const parts = [
    { look: "block", value: sent },
    { look: "quiet", value: fired - sent },
  ] as const;
  return html`<details class="rule">
    <summary>
      <span>
        <span class="name">${rule}</span>
        <span class="tag">${kind}</span>
        ${isNoise ? html`<span class="tag noise">noise?</span>` : null}
      </span>
      ${bar(parts, stops)}
      <span class="share number"
        ><b>${sentPercent.toFixed(1)} %</b>
        <span class="small">${formatNumber(sent)} of ${formatNumber(fired)}</span></span
      >
    </summary>
    <ul class="examples">
      ${examples.map(exampleRow)}
    </ul>
  </details>`;
}

function exampleRow({ at, agent, project, session, text, isSent }: Example): Markup {
  const where = [
    moment(at),
    agentOf(agent).title,
    project ?? "unknown project",
    session,
    ...(isSent ? [] : ["not sent"]),
  ];
  return html`<li><span class="where">${where.join(" · ")}</span><span class="text">${withCode(text)}</span></li>`;
}

interface TotalsColumn {
  readonly heading: string;
  readonly value: (row: Totals) => number;
  readonly text?: (value: number) => string;
  /** Left out where there is little room. */
  readonly isExtra?: boolean;
}

const COLUMNS: readonly TotalsColumn[] = [
  { heading: "Stops", value: ({ stops }) => stops },
  { heading: "Blocked", value: ({ blocked }) => blocked },
  { heading: "Share", value: ({ blockedPercent }) => blockedPercent, text: (value) => `${value.toFixed(1)} %` },
  { heading: "Turns", value: ({ turns }) => turns, isExtra: true },
  { heading: "Sessions", value: ({ sessions }) => sessions, isExtra: true },
  { heading: "Tokens*", value: ({ estimatedTokens }) => estimatedTokens, isExtra: true },
];

/** The figures of several agents or projects in a table, the most blocked first. */
function totalsSection(name: "Agent" | "Project", rows: readonly (readonly [string, Totals])[]): Content {
  if (rows.length === 0) return null;
  const columns = COLUMNS.map(({ heading, isExtra }) => ({ heading, look: isExtra === true ? "num extra" : "num" }));
  return html`<section>
    <h2>${name}s</h2>
    ${table(
      `${name}s`,
      [{ heading: name }, ...columns],
      rows.map(([label, row]) => [label, ...COLUMNS.map(({ value, text = formatNumber }) => text(value(row)))]),
    )}
  </section>`;
}
