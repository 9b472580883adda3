export { type Content, html, type Markup, withCode } from "./html.ts";
export { PAGE_STYLE } from "./look.ts";
export { counted, formatNumber } from "./numbers.ts";
export {
  bar,
  type BarPart,
  type Column,
  figureList,
  legend,
  PAGE_POLICY,
  percent,
  renderPage,
  table,
} from "./parts.ts";
export { trendSection, type TrendDay } from "./trend.ts";
export { type Period, type Verdict, weighPeriod } from "./verdict.ts";
