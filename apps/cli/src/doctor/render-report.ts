import stringWidth from "string-width";
import { counted } from "../terminal/layout.ts";
import { createPage, type PageTerminal } from "../terminal/page.ts";
import type { DoctorReport } from "./run-doctor.ts";

const MARKS = { ok: "good", warn: "warn", fail: "bad" } as const;

/** The report for people: grouped, one line per finding with its fix below it, and the verdict last. */
export function renderReport({ groups, counts, verdict }: DoctorReport, terminal: PageTerminal): string {
  const page = createPage(terminal);
  const width = Math.max(...groups.flatMap(({ checks }) => checks.map(({ title }) => stringWidth(title))));
  const sections = groups.map(({ title: group, checks }) => {
    const lines = checks.flatMap(({ title, findings }) =>
      findings.map(({ level, what, fix }, index) => {
        const label = `${(index === 0 ? title : "").padEnd(width)}  `;
        const advice = fix === null ? "" : page.line("more", fix, `${" ".repeat(label.length)}${page.marks.step} `);
        return page.line(MARKS[level], what, label) + advice;
      }),
    );
    return page.heading(group) + lines.join("");
  });
  const warnings = counted(counts.warn, "warning");
  const said = {
    ok: terminal.style.good("Everything is in order."),
    warn: terminal.style.warn(`No fault, ${warnings}.`),
    fail: terminal.style.bad(`${counted(counts.fail, "fault")}, ${warnings}.`),
  };
  return `${[...sections, said[verdict]].join("\n")}\n`;
}
