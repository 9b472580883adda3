import { expect, test } from "vitest";
import { renderTable } from "./render-table.ts";

test("a table reads as Markdown and as plain text", () => {
  const table = renderTable(
    ["candidate", "ms", "goal"],
    [
      ["node -e 0", 40, null],
      ["stop passed by its flag", 123.456, "met"],
    ],
  );
  expect(table).toBe(
    [
      "| candidate               |     ms | goal |",
      "| ----------------------- | -----: | ---- |",
      "| node -e 0               |  40.00 |      |",
      "| stop passed by its flag | 123.46 | met  |",
    ].join("\n"),
  );
});

test("a table without rows has its heads", () => {
  expect(renderTable(["a", "long head"], [])).toBe("| a   | long head |\n| --- | --------- |");
});
