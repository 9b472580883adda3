import { createHash } from "node:crypto";
import { agentOf } from "@agent-checkpoint/agents";
import type { ReplayReport, Totals } from "../build-report.ts";
import { count, counted, inWords, moment } from "../words.ts";
import { type Content, html, type Markup } from "./html.ts";
import { outcomeSection } from "./outcome-section.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { ruleSection } from "./rule-section.ts";
import { totalsSection } from "./totals-section.ts";

/** The report as one page that needs nothing else: no network, no fonts, no other file. */
export function renderHtmlReport(report: ReplayReport): string {
  const { totals } = report;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${policy()}" />
        <meta name="referrer" content="no-referrer" />
        <title>${count(totals.blocked)} of ${counted(totals.stops, "stop")} blocked · checkpoint replay</title>
        ${element("style", PAGE_STYLE)}
      </head>
      <body>
        <main>
          ${header(report)} ${figures(totals)} ${outcomeSection(report)} ${ruleSection(report)}
          ${totalsSection("Agent", agentRows(report))} ${totalsSection("Project", projectRows(report))}
          ${failedFiles(report)} ${footer(report)}
        </main>
        ${element("script", PAGE_SCRIPT)}
      </body>
    </html> `;
  return page.markup;
}

/** Only this page's own style and script run; nothing is fetched or sent. */
function policy(): string {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return `default-src 'none'; style-src ${hash(PAGE_STYLE)}; script-src ${hash(PAGE_SCRIPT)}; base-uri 'none'; form-action 'none'`;
}

/** An element with text of ours as it is: a space more, and its hash would not be that of the policy. */
function element(name: "style" | "script", text: string): Markup {
  return { markup: `<${name}>${text}</${name}>` };
}

function header({ totals, agents, since, config }: ReplayReport): Markup {
  const title =
    totals.stops === 0
      ? "There was no stop to judge"
      : html`<b>${count(totals.blocked)}</b> of ${counted(totals.stops, "stop")} would have been <b>blocked</b>`;
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
  const rows: readonly (readonly [string, string])[] = [
    ["Sessions", count(sessions)],
    ["Turns", count(turns)],
    ["Stops", count(stops)],
    ["Blocked", `${blockedPercent} %`],
    ["Tokens a message*", count(blocked === 0 ? 0 : Math.round(estimatedTokens / blocked))],
    ["Tokens in all*", count(estimatedTokens)],
  ];
  return html`<dl class="figures">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
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
