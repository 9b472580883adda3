import { createHash } from "node:crypto";
import { type Content, html, type Markup } from "./html.ts";
import { PAGE_STYLE } from "./look.ts";

/** Only the page's own style is used, no script runs, and nothing is fetched; a form may ask for another page. */
export const PAGE_POLICY: string = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(PAGE_STYLE).digest("base64")}'; base-uri 'none'; form-action 'self'`;

/** A page that needs nothing else: no network, no fonts, no script, no other file. */
export function renderPage(title: string, body: Content): string {
  // Unchanged: with one more space, the style's hash would not match the policy.
  const style: Markup = { markup: `<style>${PAGE_STYLE}</style>` };
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
}

/** A few figures side by side, each with a name and its parts below it. */
export function figureList(rows: readonly (readonly [name: string, value: Content, note?: Content])[]): Markup {
  return html`<dl class="figures">
    ${rows.map(
      ([name, value, note]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}${note === undefined ? null : html`<small>${note}</small>`}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A column of a table: its heading, and the look of its cells. */
export interface Column {
  readonly heading: string;
  /** `num` is aligned to the right, `extra` is left out where there is little room. */
  readonly look?: string;
}

/** A table whose first cells name its rows; it scrolls sideways where it does not fit. */
export function table(name: string, columns: readonly Column[], rows: readonly (readonly Content[])[]): Markup {
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="${name}">
    <table>
      <thead>
        <tr>
          ${columns.map(({ heading, look = "" }) => html`<th scope="col" class="${look}">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = null, ...cells]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${cells.map((cell, index) => html`<td class="${columns[index + 1]?.look ?? ""}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A part of a bar: the look it has in the style sheet, and how much of the whole it is. */
export interface BarPart {
  readonly look: string;
  readonly value: number;
}

interface BarLook {
  readonly name?: string;
  /** What it says, for those who do not see it; empty if the text beside it says the same. */
  readonly label?: string;
}

/** A bar of parts side by side; widths are attributes, since the policy allows no style of an element's own. */
export function bar(parts: readonly BarPart[], whole: number, { name = "bar", label = "" }: BarLook = {}): Markup {
  let at = 0;
  const rects = parts.map(({ look, value }) => {
    const x = at;
    at += whole === 0 ? 0 : (value / whole) * 100;
    return html`<rect class="${look}" x="${x.toFixed(2)}" width="${(at - x).toFixed(2)}" height="10" />`;
  });
  const told = label === "" ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`;
  return html`<svg class="${name}" viewBox="0 0 100 10" preserveAspectRatio="none" ${told}>${rects}</svg>`;
}

/** What the colours mean. */
export function legend(entries: readonly (readonly [look: string, meaning: string])[]): Markup {
  return html`<ul class="legend">
    ${entries.map(([look, meaning]) => html`<li><span class="key ${look}"></span>${meaning}</li>`)}
  </ul>`;
}

/** The share of a whole. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((part / whole) * 100)} %`;
}
