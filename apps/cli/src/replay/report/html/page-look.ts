/** The look of the page: light and dark, from a phone's width up, with the fonts that are there. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f5f2; --card: #ffffff; --ink: #1d1c1a; --soft: #6a665e; --line: #e3e0d8; --track: #ece9e2;
  --block: #c2410c; --pass: #2f7d5b; --none: #b9b4a8; --warn-ink: #8a3a06; --warn: #fdeadb; --link: #1d5fa8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151412; --card: #1e1d1a; --ink: #edebe6; --soft: #a39e93; --line: #34322d; --track: #2d2b27;
    --block: #f0813f; --pass: #57b58c; --none: #5d5950; --warn-ink: #ffb98a; --warn: #43281a; --link: #8bbcf0;
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
summary:focus-visible, th button:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
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
th, td { padding: .55rem 1.1rem; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 11rem; }
thead th { color: var(--soft); font-weight: 500; font-size: .85rem; border-bottom: 1px solid var(--line); }
tbody tr + tr td { border-top: 1px solid var(--line); }
th button { all: unset; cursor: pointer; }
th[aria-sort] button::after { content: " ↓"; } th[aria-sort="ascending"] button::after { content: " ↑"; }
input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .45rem .8rem; width: 100%; max-width: 22rem; margin-bottom: .8rem; }
.files { margin: 0; padding: .9rem 1.1rem .9rem 2.2rem; overflow-wrap: anywhere; }
.files li { margin: .3rem 0; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.2rem; font-size: .92rem; }
footer h2 { font-size: 1em; margin: 0; }
footer ul { padding-left: 1.2rem; }
footer li { margin: .3rem 0; }
@media (max-width: 40rem) {
  main { padding-top: 1.5rem; }
  details.rule summary { grid-template-columns: 1fr auto; }
  details.rule summary svg { grid-column: 1 / -1; grid-row: 2; }
  dl.figures { grid-template-columns: 1fr 1fr; }
  th, td { padding: .5rem .45rem; }
  th:first-child, td:first-child { padding-left: .9rem; }
  th:last-child, td:last-child, th:nth-child(4), td:nth-child(4) { padding-right: .9rem; }
  th:first-child, td:first-child { min-width: 8rem; }
  .extra { display: none; }
  .examples { padding-left: 1.1rem; }
}
@media print { input { display: none; } body { background: none; } }
`;

/** Sorting by a click on a heading, and a filter; the page tells everything without it. */
export const PAGE_SCRIPT = `
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, index) => heading.querySelector("button").addEventListener("click", () => {
    const isDown = heading.getAttribute("aria-sort") ? heading.getAttribute("aria-sort") === "ascending" : index > 0;
    const valueOf = (row) => row.cells[index].dataset.value ?? row.cells[index].textContent;
    const compare = (one, other) => index > 0 ? valueOf(one) - valueOf(other) : valueOf(one).localeCompare(valueOf(other));
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    body.append(...[...body.rows].sort((one, other) => isDown ? compare(other, one) : compare(one, other)));
  }));
}
for (const input of document.querySelectorAll("input[type=search]")) {
  input.hidden = false;
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of document.getElementById(input.dataset.for).tBodies[0].rows)
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
  });
}
`;
