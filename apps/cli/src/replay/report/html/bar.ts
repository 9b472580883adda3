import { html, type Markup } from "./html.ts";

/** A part of a bar: the look it has in the style sheet, and how much of the whole it is. */
export interface BarPart {
  readonly look: "block" | "quiet" | "pass" | "none";
  readonly value: number;
}

/** A bar of parts side by side; widths are attributes, since the policy allows no style of an element's own. */
export function bar(parts: readonly BarPart[], whole: number, name = "bar"): Markup {
  let at = 0;
  const rects = parts.map(({ look, value }) => {
    const x = at;
    at += whole === 0 ? 0 : (value / whole) * 100;
    return html`<rect class="${look}" x="${x.toFixed(2)}" width="${(at - x).toFixed(2)}" height="10" />`;
  });
  return html`<svg class="${name}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}
