import { agentOf } from "@agent-checkpoint/agents";
import type { Example } from "../../judge/summary.ts";
import type { ReplayReport, RuleReport } from "../build-report.ts";
import { count, counted, moment } from "../words.ts";
import { bar } from "./bar.ts";
import { html, type Markup, withCode } from "./html.ts";

/** The rules, each with its share of the stops and examples to open. */
export function ruleSection({ rules, totals, noisePercent }: ReplayReport): Markup {
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
        ><b>${sentPercent.toFixed(1)} %</b> <span class="small">${count(sent)} of ${count(fired)}</span></span
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
