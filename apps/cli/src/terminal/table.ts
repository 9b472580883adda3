import stringWidth from "string-width";

export interface Column {
  readonly heading: string;
  readonly align?: "left" | "right";
}

/** Rows under headings, as wide as their widest cell, without trailing spaces. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const headings = columns.map(({ heading }) => heading);
  const widths = columns.map((_, index) =>
    Math.max(...[headings, ...rows].map((cells) => stringWidth(cells[index] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? "";
        const space = " ".repeat((widths[index] ?? 0) - stringWidth(cell));
        return align === "right" ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return [headings, ...rows].map((cells) => `${line(cells)}\n`).join("");
}
