/** The look of the page: light and dark, from a phone's width up, with the fonts that are there. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f5f2; --card: #ffffff; --ink: #1d1c1a; --soft: #6a665e; --line: #e3e0d8; --track: #ece9e2;
  --block: #c2410c; --pass: #2f7d5b; --none: #b9b4a8; --warn-ink: #8a3a06; --warn: #fdeadb; --link: #1d5fa8;
  --partly: #c99a2e; --waived: #8a6bb8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151412; --card: #1e1d1a; --ink: #edebe6; --soft: #a39e93; --line: #34322d; --track: #2d2b27;
    --block: #f0813f; --pass: #57b58c; --none: #5d5950; --warn-ink: #ffb98a; --warn: #43281a; --link: #8bbcf0;
    --partly: #e0b95a; --waived: #b79be0;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header p, .small, footer { color: var(--soft); }
.brand { font-weight: 600; letter-spacing: .01em; margin: 0 0 1.25rem; color: var(--soft); }
h1 { font-size: clamp(1.7rem, 5vw, 2.7rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 .6rem; text-wrap: balance; }
h1 b { color: var(--block); font-weight: inherit; }
h2 { font-size: 1.15rem; margin: 2.75rem 0 .8rem; }
h2 + p { margin: -.6rem 0 1rem; }
code { font: .88em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; background: var(--track); border-radius: 4px; padding: .06em .26em; }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; margin: 1.75rem 0; }
dl.figures div { background: var(--card); padding: .9rem 1.1rem; }
dl.figures dt { color: var(--soft); font-size: .85rem; }
dl.figures dd { margin: 0; font-size: 1.55rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
svg.bar { display: block; width: 100%; height: .6rem; border-radius: .3rem; background: var(--track); }
svg.tall { height: 1.1rem; border-radius: .35rem; }
rect.block, .key.block { fill: var(--block); background: var(--block); }
rect.quiet { fill: var(--block); opacity: .28; }
rect.pass, .key.pass { fill: var(--pass); background: var(--pass); }
rect.none, .key.none { fill: var(--none); background: var(--none); }
.outcomes { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem 2rem; margin-top: 1rem; }
.outcomes h3 { font-size: .95rem; margin: 0 0 .25rem; }
.outcomes ul { list-style: none; margin: 0; padding: 0; color: var(--soft); font-size: .92rem; }
.outcomes li { display: flex; justify-content: space-between; gap: 1rem; }
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: 3px; margin-right: .5rem; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
details.rule + details.rule { border-top: 1px solid var(--line); }
details.rule summary { display: grid; grid-template-columns: minmax(10rem, 1.3fr) 2fr 9.5rem; gap: .25rem 1.25rem; align-items: center; padding: .8rem 1.1rem; cursor: pointer; list-style: none; }
details.rule summary::-webkit-details-marker { display: none; }
details.rule summary:hover { background: color-mix(in srgb, var(--track) 45%, transparent); }
summary:focus-visible, a:focus-visible, select:focus-visible, button:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
.rule .name { font-weight: 600; overflow-wrap: anywhere; }
.rule .name::before { content: "+"; display: inline-block; width: 1.1rem; color: var(--soft); font-weight: 400; }
.rule[open] .name::before { content: "−"; }
.rule .share { text-align: right; }
.rule .share b { font-size: 1.05rem; }
.tag { display: inline-block; font-size: .75rem; font-weight: 500; color: var(--soft); border: 1px solid var(--line); border-radius: 99px; padding: 0 .5rem; margin-left: .2rem; white-space: nowrap; }
.tag.noise { color: var(--warn-ink); background: var(--warn); border-color: transparent; }
.examples { list-style: none; margin: 0; padding: 0 1.1rem 1rem 2.2rem; display: grid; gap: .7rem; }
.examples .where { display: block; color: var(--soft); font-size: .84rem; overflow-wrap: anywhere; }
.examples .text { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { padding: .55rem 1.1rem; text-align: left; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.num, td.num { text-align: right; }
tbody th { font-weight: inherit; }
th:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
thead th { color: var(--soft); font-weight: 500; font-size: .85rem; border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
.files { margin: 0; padding: .9rem 1.1rem .9rem 2.2rem; overflow-wrap: anywhere; }
.files li { margin: .3rem 0; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.2rem; font-size: .92rem; }
footer h2 { font-size: 1em; margin: 0; }
footer ul { padding-left: 1.2rem; }
footer li { margin: .3rem 0; }
a { color: var(--link); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem .8rem; border-radius: 8px; }
h1 .good { color: var(--pass); } h1 .bad { color: var(--block); }
dl.figures small { display: block; font-size: .84rem; line-height: 1.4; font-weight: 400; color: var(--soft); letter-spacing: 0; }
dl.figures .quiet { color: var(--warn-ink); font-weight: 600; }
rect.done, .key.done { fill: var(--pass); background: var(--pass); }
rect.partly, .key.partly { fill: var(--partly); background: var(--partly); }
rect.ignored, .key.ignored, rect.escaped, .key.escaped { fill: var(--block); background: var(--block); }
rect.waived, .key.waived, rect.moot, .key.moot { fill: var(--waived); background: var(--waived); }
rect.unknown, .key.unknown { fill: var(--none); background: var(--none); }
rect.stops, .key.stops { fill: color-mix(in srgb, var(--none) 45%, transparent); background: color-mix(in srgb, var(--none) 45%, transparent); }
svg.trend { display: block; width: 100%; height: 11rem; }
svg.trend polyline { fill: none; stroke: var(--pass); stroke-width: 2.25; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
svg.trend line { stroke: var(--line); vector-effect: non-scaling-stroke; }
svg.trend g:hover rect { opacity: .6; }
.chart { padding: .9rem 1.1rem .5rem; }
.axis { display: flex; justify-content: space-between; color: var(--soft); font-size: .82rem; font-variant-numeric: tabular-nums; }
.legend { color: var(--soft); font-size: .88rem; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .6rem 0; padding: 0; list-style: none; }
.key.line { height: .2rem; vertical-align: middle; }
svg.interval { display: inline-block; width: 5.5rem; height: .7rem; margin-right: .6rem; vertical-align: middle; background: linear-gradient(var(--track), var(--track)) center / 100% 2px no-repeat; }
svg.interval rect { fill: color-mix(in srgb, var(--pass) 38%, transparent); } svg.interval rect.at { fill: var(--pass); }
td.wide { width: 30%; min-width: 8rem; }
.under { display: none; }
.clip { display: inline-block; max-width: 11rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
a.plain { color: inherit; text-decoration-color: var(--none); text-underline-offset: .2em; } a.plain:hover { text-decoration-color: currentcolor; }
a.tag { text-decoration: none; } a.tag:hover { text-decoration: underline; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 10rem; }
.path { display: block; color: var(--soft); font-size: .84rem; overflow-wrap: anywhere; }
form.filters { display: flex; flex-wrap: wrap; gap: .7rem; align-items: end; margin: 1.5rem 0 0; }
form.filters label { display: grid; gap: .15rem; color: var(--soft); font-size: .82rem; min-width: 0; }
select, form.filters button { font: inherit; font-size: .95rem; color: var(--ink); background: var(--card); border: 1px solid color-mix(in srgb, var(--soft) 55%, var(--line)); border-radius: 8px; padding: .4rem .7rem; max-width: 15rem; min-height: 2.4rem; }
form.filters button { background: var(--ink); color: var(--page); border-color: var(--ink); cursor: pointer; font-weight: 600; }
form.filters .small { font-size: .88rem; padding-bottom: .5rem; }
.decision { display: inline-block; border-radius: 99px; padding: 0 .6rem; font-size: .82rem; font-weight: 600; background: var(--track); color: var(--soft); }
.decision.block { background: var(--warn); color: var(--warn-ink); }
.said { display: inline-block; margin-right: .8rem; }
.noisy { list-style: none; margin: 0; padding: 0; }
.noisy li { padding: .8rem 1.1rem; } .noisy li + li { border-top: 1px solid var(--line); }
.noisy code { display: inline-block; margin-top: .25rem; }
.calls { list-style: none; margin: .35rem 0 .2rem; padding: 0 0 0 .9rem; border-left: 2px solid var(--line); display: grid; gap: .4rem; }
.calls .verdict { display: block; font-size: .9rem; color: var(--soft); } .calls .counts { color: var(--pass); }
.steps { list-style: none; margin: .5rem 0 0; padding: 0; }
.stop-part { padding: .9rem 1.1rem; } .stop-part + .stop-part { border-top: 1px solid var(--line); } .stop-part h3 { margin: 0; font-size: 1rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; padding: .9rem 1.1rem; } dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: .9rem 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .86rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
details.more summary { cursor: pointer; color: var(--link); padding: .6rem 0; }
@media (max-width: 40rem) {
  main { padding-top: 1.5rem; }
  details.rule summary { grid-template-columns: 1fr auto; }
  details.rule summary svg { grid-column: 1 / -1; grid-row: 2; }
  dl.figures { grid-template-columns: 1fr 1fr; }
  dl.figures div:last-child:nth-child(odd) { grid-column: 1 / -1; }
  th, td { padding: .5rem .35rem; }
  th:first-child { padding-left: .9rem; min-width: 6.5rem; }
  th:last-child, td:last-child { padding-right: .9rem; }
  .extra { display: none; }
  thead th { white-space: normal; vertical-align: bottom; }
  svg.interval { display: none; }
  td.text { min-width: 0; }
  .under { display: block; margin-top: .35rem; font-size: .84rem; white-space: normal; }
  .examples { padding-left: 1.1rem; }
}
@media print { form, .skip { display: none; } body { background: none; } }
`;
