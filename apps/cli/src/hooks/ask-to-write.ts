import { basename } from "node:path";
import type { InitReport } from "./init-report.ts";
import type { Page } from "./page.ts";
import { configSection } from "./render-init.ts";

/** The files that a plan would write, and the question whether it may; null where it would write none. */
export function questionFor(report: InitReport, page: Page): string | null {
  const { agents, config } = report;
  const settings = agents
    .filter(({ status }) => status === "registered")
    .map(({ file, isNewFile, title }) => `${file}  (${isNewFile ? "new, " : ""}hooks of ${title})`);
  const written =
    config?.status === "written" ? [`${basename(config.file)}  (new, on the preset \`${config.preset}\`)`] : [];
  const files = [...settings, ...written];
  if (files.length === 0) return null;
  const plan =
    config?.status === "written" ? [configSection({ ...report, config: { ...config, diff: null } }, page), "\n"] : [];
  return [
    ...plan,
    page.paragraph("These files would be written:"),
    ...files.map((file) => page.line("step", file)),
    page.paragraph(
      "Settings that are there already are merged, not replaced, and a copy of the file is kept beside it. To see every line first, run: `checkpoint init --dry-run`",
    ),
    "\nWrite them? [y/N] ",
  ].join("");
}
