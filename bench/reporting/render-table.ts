/** A cell: text as it is, a number with two digits, nothing for null. */
export type Cell = string | number | null;

/** A Markdown table with columns wide enough to be read as plain text; numbers stand to the right. */
export function renderTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map(textOf));
  const isNumeric = heads.map((_, column) => rows.some((row) => typeof row[column] === "number"));
  const widths = heads.map((head, column) => Math.max(3, head.length, ...texts.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, isNumeric[column] === true)).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    isNumeric[column] === true ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [line(heads), line(rule), ...texts.map(line)].join("\n");
}

function textOf(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "number" ? cell.toFixed(2) : cell;
}

function pad(text: string, width: number, isNumeric: boolean): string {
  return isNumeric ? text.padStart(width) : text.padEnd(width);
}
