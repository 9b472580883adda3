import { basename } from "node:path";
import { AGENTS } from "@agent-checkpoint/agents";
import type { AgentReport, ConfigReport, InitReport } from "./run-init.ts";
import type { Page } from "../terminal/page.ts";

/** The report of `init` as text: each agent, the repository, and what to do next. */
export function renderInit(report: InitReport, page: Page): string {
  const sections = [
    ...report.agents.map((agent) => agentSection(agent, report, page)),
    notFoundSection(report, page),
    configSection(report, page),
    closing(report, page),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function agentSection(agent: AgentReport, { isDryRun }: InitReport, page: Page): string {
  const { title, version, backup, problem, advice, notes, next, diff } = agent;
  const [mark, said] = saidOf(agent, isDryRun);
  return [
    page.heading(version === null ? title : `${title} ${version}`),
    page.line(mark, said),
    ...(problem === null || advice === null ? [] : [page.line("more", advice)]),
    ...(backup === null ? [] : [page.line("more", `A copy of the original file: ${backup}`)]),
    ...skillLines(agent, isDryRun, page),
    ...notes.map((note) => page.line("warn", note)),
    ...next.map((step) => page.line("step", step)),
    ...(diff === null ? [] : ["\n", page.diff(diff)]),
  ].join("");
}

function skillLines({ skills }: AgentReport, isDryRun: boolean, page: Page): readonly string[] {
  const written = skills.filter(({ status }) => status === "written" || status === "updated");
  const names = listOf(written.map(({ skill }) => `\`${skill}\``));
  return [
    ...(written.length === 0
      ? []
      : [page.line(isDryRun ? "step" : "good", `Skills ${isDryRun ? "would be written" : "written"}: ${names}.`)]),
    ...skills.flatMap(({ status, file, problem }) => {
      if (status === "failed") return [page.line("bad", `${file} could not be written: ${problem}.`)];
      return status === "kept"
        ? [page.line("warn", `${file} is your own, or was changed by you: left unchanged.`)]
        : [];
    }),
  ];
}

function saidOf(
  { status, file, isNewFile, hooks, problem }: AgentReport,
  isDryRun: boolean,
): readonly ["good" | "bad" | "step", string] {
  if (status === "refused") return ["bad", `${file} cannot be merged into, ${problem}`];
  if (status === "failed") return ["bad", `${file} could not be changed: ${problem}.`];
  if (status === "too-old") return ["bad", `${problem}`];
  if (status === "unchanged") return ["good", `Hooks are registered in ${file} already; nothing to change.`];
  const events = listOf([...new Set(hooks.filter(({ kind }) => kind !== "kept").map(({ event }) => event))]);
  const what = hooks.every(({ kind }) => kind !== "added") ? "brought up to date" : "registered";
  const where = isNewFile ? `${file}, a new file` : file;
  return [isDryRun ? "step" : "good", `Hooks for ${events} ${isDryRun ? `would be ${what}` : what} in ${where}.`];
}

function notFoundSection({ notFound, agents }: InitReport, page: Page): string {
  if (notFound.length === 0) return "";
  const titles = listOf(AGENTS.filter(({ name }) => notFound.includes(name)).map(({ title }) => title));
  if (agents.length > 0) return page.paragraph(`Not found on this machine: ${titles}.`);
  return page.paragraph(
    `None of ${titles} was found: no program on the PATH, and no settings. To register one anyway, name it: \`checkpoint init --agent claude\``,
  );
}

/** What was found in the repository, and what is proposed for it. */
export function configSection({ config, root, isDryRun }: InitReport, page: Page): string {
  if (root === null)
    return page.paragraph("This folder is in no git repository: no checkpoint.config.json was written.");
  if (config === null) return "";
  return [page.heading("This repository"), ...configLines(config, isDryRun, page), learnLine(config, page)].join("");
}

/** A hint at `checkpoint learn`, if there are past sessions. */
function learnLine({ sessions }: ConfigReport, page: Page): string {
  if (sessions === 0) return "";
  const said = sessions === 1 ? "One past session" : `${sessions} past sessions`;
  return page.line("step", `${said} of this repository: \`checkpoint learn\` says which commands tested it in them.`);
}

function configLines(config: ConfigReport, isDryRun: boolean, page: Page): readonly string[] {
  const { file, status, preset, found, checks, notes, missing, problem, diff } = config;
  const name = basename(file);
  if (status === "failed") return [page.line("bad", `${file} could not be written: ${problem}.`)];
  if (status === "kept") {
    return [
      problem === null
        ? page.line("good", `${name} exists already and was left unchanged.`)
        : page.line("warn", `${name} exists already and cannot be used: ${problem}`),
      ...(missing === ""
        ? []
        : [page.line("more", "The repository has more than it names. You may add:"), indent(missing, page)]),
    ];
  }
  return [
    page.line(
      isDryRun ? "step" : "good",
      `${isDryRun ? "Would write" : "Wrote"} ${name} on the preset \`${preset}\` (${found[0]?.where}):`,
    ),
    page.rows(found.slice(1).map(({ what, where }) => [what, where])),
    ...(checks.length === 0
      ? []
      : [
          page.line("more", "Counted in shadow, and not asked for until you say so:"),
          page.rows(checks.map(({ what, where }) => [what, where])),
        ]),
    ...notes.map((note) => page.line("warn", note)),
    page.line("more", differenceOf(config)),
    page.line("more", "The file is yours: edit it, and commit it."),
    ...(diff === null ? [] : ["\n", page.diff(diff)]),
  ];
}

/** What the file changes compared with no file. */
function differenceOf({ preset, found, checks }: ConfigReport): string {
  if (preset === "teleclaude" || found.length + checks.length === 1) return "Without it the same rules hold.";
  return "Without it, tests are required too; with it, the agent is given these commands.";
}

function closing({ agents, next, isDryRun }: InitReport, page: Page): string {
  const steps = next.length === 0 ? [] : [...next.map((step) => page.line("step", step)), "\n"];
  if (isDryRun) return [...steps, page.paragraph("This was a dry run: nothing was written.")].join("");
  if (!agents.some(({ status }) => status === "registered" || status === "unchanged")) return steps.join("");
  const isChanged = agents.some(({ status }) => status === "registered");
  return [
    ...steps,
    page.paragraph(
      "The agents call `checkpoint-hook` when you send a prompt and when they want to stop. If something is still missing, the stop is blocked once, with the list.",
    ),
    ...(isChanged ? [page.paragraph("Restart agents that are open now, so that they see their hooks.")] : []),
    page.paragraph("To see whether the hooks fire, run: `checkpoint doctor`"),
  ].join("");
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function indent(text: string, page: Page): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => page.line("more", line))
    .join("");
}

/** Asks whether to mend settings that an agent cannot read; null if all can be read. */
export function mendQuestionFor({ agents }: InitReport, page: Page): string | null {
  const unreadable = agents.filter(({ isMendable }) => isMendable);
  if (unreadable.length === 0) return null;
  return [
    page.paragraph("Their agent cannot read these settings and would run none of their hooks:"),
    ...unreadable.map(({ file, problem, title }) => page.line("step", `${file}  (${title}), ${problem}`)),
    "\nRemove what it cannot read, and keep a copy of the file beside it? [y/N] ",
  ].join("");
}

/** Lists the files that a plan would write, and asks for consent; null if there are none. */
export function questionFor(report: InitReport, page: Page): string | null {
  const { agents, config } = report;
  const settings = agents
    .filter(({ status }) => status === "registered")
    .map(({ file, isNewFile, title }) => `${file}  (${isNewFile ? "new, " : ""}hooks of ${title})`);
  const written =
    config?.status === "written" ? [`${basename(config.file)}  (new, on the preset \`${config.preset}\`)`] : [];
  const skills = agents.flatMap(({ skills, title }) =>
    skills
      .filter(({ status }) => status === "written" || status === "updated")
      .map(({ file, status }) => `${file}  (${status === "written" ? "new, " : ""}skill of ${title})`),
  );
  const files = [...settings, ...skills, ...written];
  if (files.length === 0) return null;
  const plan =
    config?.status === "written" ? [configSection({ ...report, config: { ...config, diff: null } }, page), "\n"] : [];
  return [
    ...plan,
    page.paragraph("These files would be written:"),
    ...files.map((file) => page.line("step", file)),
    page.paragraph(
      "Existing settings are merged, not replaced, and a copy of the file is kept beside it. To see every line first, run: `checkpoint init --dry-run`",
    ),
    "\nWrite them? [y/N] ",
  ].join("");
}
