import type { Page } from "./page.ts";
import type { RemovalReport, UninstallReport } from "./run-uninstall.ts";

/** What `uninstall` did, for people; `home` is where the store stays. */
export function renderUninstall({ agents, isDryRun, scope }: UninstallReport, page: Page, home: string): string {
  const told = agents.filter((agent) => agent.status !== "unchanged" || agent.notes.length > 0);
  const untouched = agents.filter((agent) => !told.includes(agent)).map(({ title }) => title);
  const other = scope === "user" ? "A project's settings are looked at with `checkpoint uninstall --project`." : "";
  const sections = [
    ...told.map((agent) => agentSection(agent, isDryRun, page)),
    untouched.length === 0
      ? ""
      : page.paragraph(`No hooks of ours in the settings of ${untouched.join(", ")}. ${other}`),
    isDryRun
      ? page.paragraph("This was a dry run: nothing was written.")
      : page.paragraph(
          `The record of past stops stays in ${home}, and a repository's checkpoint.config.json where it is.`,
        ),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function agentSection(agent: RemovalReport, isDryRun: boolean, page: Page): string {
  const { title, advice, removedBackups, keptBackups, notes, diff } = agent;
  return [
    page.heading(title),
    ...saidOf(agent, isDryRun, page),
    ...(advice === null ? [] : [page.line("more", advice)]),
    ...removedBackups.map((path) => page.line("more", `Removed the copy that is no longer needed: ${path}`)),
    ...keptBackups.map((path) => page.line("more", `A copy from before is still there: ${path}`)),
    ...notes.map((note) => page.line("warn", note)),
    ...(diff === null ? [] : ["\n", page.diff(diff)]),
  ].join("");
}

function saidOf({ status, file, events, isFileRemoved, problem }: RemovalReport, isDryRun: boolean, page: Page) {
  if (status === "refused") return [page.line("bad", `${file} cannot be read, ${problem}`)];
  if (status === "failed") return [page.line("bad", `${file} could not be changed: ${problem}.`)];
  if (status === "unchanged") return [];
  const names = [...new Set(events)].join(" and ");
  const [mark, verb] = isDryRun ? (["step", "would be removed"] as const) : (["good", "removed"] as const);
  const rest = isFileRemoved
    ? `; the file ${isDryRun ? "holds nothing else, and would go too" : "held nothing else, and is gone too"}`
    : "";
  return [page.line(mark, `Hooks for ${names} ${verb} from ${file}${rest}.`)];
}
