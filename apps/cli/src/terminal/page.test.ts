import { expect, test } from "vitest";
import { createStyle } from "./style.ts";
import { createPage } from "./page.ts";

const page = createPage({
  env: { LANG: "C.UTF-8" },
  userHome: "/home/me",
  columns: 30,
  style: createStyle({ isTerminal: false, env: {} }),
});

test("a command that is there to be copied stays on one line", () => {
  expect(page.line("step", "To go on, run: `checkpoint init --agent claude`")).toBe(
    "  → To go on, run:\n    `checkpoint init --agent claude`\n",
  );
});

test("the home folder is short, and what would act on the terminal is shown", () => {
  expect(page.paragraph("In /home/me/.claude: \u001B[2J")).toBe(String.raw`In ~/.claude: \x1b[2J` + "\n");
});

test("a diff keeps its lines, tabs and carriage returns aside", () => {
  expect(page.diff('-\t"a"\r\n+\t"b", \u202E\r\n')).toBe(`-    "a"\n+    "b", ${String.raw`\u{202e}`}\n`);
});
