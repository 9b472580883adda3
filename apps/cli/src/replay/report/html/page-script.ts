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
