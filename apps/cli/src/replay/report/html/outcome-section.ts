import type { Counts } from "../../judge/summary.ts";
import type { ReplayReport } from "../build-report.ts";
import { count, inWords } from "../words.ts";
import { bar } from "./bar.ts";
import { type Content, html, type Markup } from "./html.ts";

/** What became of the turns, as one bar and with the reasons. */
export function outcomeSection({ totals, blockedFor, passedFor, noStop }: ReplayReport): Markup {
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
    ${bar(groups, turns, "bar tall")}
    <div class="outcomes">
      ${groups.map(
        ({ look, title, value, counts }) =>
          html`<div>
            <h3><span class="key ${look}"></span>${title}: ${count(value)}</h3>
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
    ([reason, value]) => html`<li><span>${inWords(reason)}</span><span class="number">${count(value)}</span></li>`,
  );
  return html`<ul>
    ${rows}
  </ul>`;
}
