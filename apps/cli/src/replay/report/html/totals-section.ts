import type { Totals } from "../build-report.ts";
import { count } from "../words.ts";
import { type Content, html, type Markup } from "./html.ts";

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

/** So many rows are found without a filter. */
const FEW = 8;

/** The figures of several agents or projects in a table, the most blocked first. */
export function totalsSection(name: "Agent" | "Project", rows: readonly (readonly [string, Totals])[]): Content {
  if (rows.length === 0) return null;
  const plural = `${name}s`;
  const filter = html`<input type="search" data-for="${plural}" aria-label="Filter" placeholder="Filter" hidden />`;
  return html`<section>
    <h2>${plural}</h2>
    ${rows.length > FEW ? filter : null}
    <div class="card scroll">
      <table id="${plural}">
        <thead>
          <tr>
            <th scope="col"><button>${name}</button></th>
            ${COLUMNS.map(columnHeading)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([label, row]) =>
              html`<tr>
                <td>${label}</td>
                ${COLUMNS.map((column) => cell(column, row))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function columnHeading({ heading, isExtra }: TotalsColumn): Markup {
  const order = heading === "Blocked" ? html`aria-sort="descending"` : null;
  return html`<th scope="col" class="${isExtra ? "extra" : ""}" ${order}><button>${heading}</button></th>`;
}

function cell({ value, text = count, isExtra }: TotalsColumn, row: Totals): Markup {
  return html`<td class="${isExtra ? "extra" : ""}" data-value="${value(row)}">${text(value(row))}</td>`;
}
