import type { Style } from "../../terminal/style.ts";
import { visible } from "../../terminal/visible.ts";
import type { ReplayReport, RuleReport, Totals } from "./build-report.ts";
import { inWords, moment } from "./words.ts";
import { counted, formatNumber, renderTable, right } from "../../terminal/layout.ts";

export interface ReportLook {
  readonly style: Style;
  readonly columns: number;
  readonly userHome: string;
}

export function renderReport(report: ReplayReport, look: ReportLook): string {
  if (report.totals.turns === 0)
    return [noTurns(report), filesNote(report, look)].filter((part) => part !== "").join("\n");
  return [
    headline(report, look),
    ruleTable(report, look),
    agentTable(report),
    projectTable(report, look),
    examples(report, look),
    counts("PASSED", report.passedFor),
    counts("NO STOP", report.noStop),
    notes(report),
    filesNote(report, look),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function noTurns({ files: { found } }: ReplayReport): string {
  const what = found === 0 ? "No transcripts were found" : `No turns were found in ${counted(found, "file")}`;
  return `${what}. Name files or folders, or run it as the person whose sessions are to be replayed.\n`;
}

function headline({ totals, since }: ReplayReport, { style }: ReportLook): string {
  const { sessions, turns, stops, blocked, blockedPercent, estimatedTokens } = totals;
  const when = since === null ? "" : ` since ${since.slice(0, 10)}`;
  const first = `${counted(sessions, "session")}${when}: ${counted(turns, "turn")}, of which ${formatNumber(stops)} ended with a stop.`;
  const each = blocked === 0 ? 0 : Math.round(estimatedTokens / blocked);
  const second = `${style.bold(`${counted(blocked, "stop")} would have been blocked`)} (${blockedPercent} %).`;
  const third = `A message has about ${formatNumber(each)} tokens, estimated at 4 characters a token.`;
  return [first, second, ...(blocked === 0 ? [] : [third])].map((line) => `${line}\n`).join("");
}

const BAR = 20;

function ruleTable({ rules, totals }: ReplayReport, { style, columns }: ReportLook): string {
  if (rules.length === 0) return "No rule fired.\n";
  const hasBars = columns >= 90;
  const rows = rules.map(({ rule, kind, fired, sent, sentPercent, isNoise }) => {
    const length = totals.stops === 0 ? 0 : Math.round((sent / totals.stops) * BAR);
    const bar = "█".repeat(length) + "░".repeat(BAR - length);
    const share = `${sentPercent.toFixed(1)} %`;
    const name = shown(rule, 32);
    return [
      isNoise ? style.warn(name) : name,
      kind,
      formatNumber(fired),
      formatNumber(sent),
      isNoise ? style.warn(share) : share,
      ...(hasBars ? [style.dim(bar)] : []),
      isNoise ? style.warn("noise?") : "",
    ];
  });
  return renderTable(
    ["RULE", "KIND", right("FIRED"), right("SENT"), right("OF STOPS"), ...(hasBars ? [""] : []), ""],
    rows,
  );
}

function examples({ rules }: ReplayReport, look: ReportLook): string {
  const { style } = look;
  const parts = rules.filter((rule) => rule.sent > 0 && rule.examples.length > 0);
  if (parts.length === 0) return "";
  return ["EXAMPLES", ...parts.flatMap((rule) => [style.bold(shown(rule.rule, 32)), ...exampleLines(rule, look)])]
    .map((line) => `${line}\n`)
    .join("");
}

/** The width of the time, the agent and the session of an example. */
const HEADING = 46;

function exampleLines({ examples: all }: RuleReport, { style, columns, userHome }: ReportLook): readonly string[] {
  return all.flatMap(({ at, agent, project, session, text }) => [
    `  ${style.dim(`${moment(at)}  ${agent}  ${projectName(project, userHome, Math.max(20, columns - HEADING))}  ${shown(session, 13)}`)}`,
    `    ${cut(text, Math.max(40, columns - 4))}`,
  ]);
}

function agentTable({ agents }: ReplayReport): string {
  return totalsTable(
    "AGENT",
    agents.map((row) => ({ name: row.agent, row })),
  );
}

const MAX_PROJECTS = 10;

/** The width of the figures beside a project. */
const FIGURES = 52;

function projectTable({ projects }: ReplayReport, { userHome, columns }: ReportLook): string {
  const rows = projects.slice(0, MAX_PROJECTS);
  const more = projects.length - rows.length;
  const table = totalsTable(
    "PROJECT",
    rows.map((row) => ({ name: projectName(row.project, userHome, Math.max(20, columns - FIGURES)), row })),
  );
  return more > 0 ? `${table}and ${counted(more, "project")} more (--json and --html list them all)\n` : table;
}

function totalsTable(heading: string, rows: readonly { readonly name: string; readonly row: Totals }[]): string {
  return renderTable(
    [heading, right("SESSIONS"), right("TURNS"), right("STOPS"), right("BLOCKED"), right(""), right("TOKENS")],
    rows.map(({ name, row }) => [
      name,
      formatNumber(row.sessions),
      formatNumber(row.turns),
      formatNumber(row.stops),
      formatNumber(row.blocked),
      `${row.blockedPercent.toFixed(1)} %`,
      formatNumber(row.estimatedTokens),
    ]),
  );
}

function counts(heading: "PASSED" | "NO STOP", found: Readonly<Record<string, number>>): string {
  const rows = Object.entries(found)
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, value]) => [formatNumber(value), inWords(reason)]);
  return rows.length === 0 ? "" : renderTable([right(heading), "BECAUSE"], rows);
}

function notes({ totals, rules, noisePercent }: ReplayReport): string {
  const lines = [
    "Git is not asked: the changed files are those that a turn's own calls wrote.",
    ...(totals.blockedAfterCommit === 0
      ? []
      : [
          `${counted(totals.blockedAfterCommit, "blocked stop")} came after a commit, where the checkpoint may say less.`,
        ]),
    ...(rules.some(({ isNoise }) => isNoise) ? [`noise?: in more than ${noisePercent} % of the stops.`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const MAX_FAILED = 5;

function filesNote({ files }: ReplayReport, { style }: ReportLook): string {
  const { failed } = files;
  if (failed.length === 0) return "";
  const lines = failed
    .slice(0, MAX_FAILED)
    .map(({ path, reason }) => `  ${shown(path, 100)}: ${cut(inWords(reason), 120)}`);
  const more = failed.length - lines.length;
  return [
    style.warn(`${counted(failed.length, "file")} could not be replayed:`),
    ...lines,
    ...(more > 0 ? [`  and ${more} more (--json lists them all)`] : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** A project by its path from the person's home. */
function projectName(project: string | null, userHome: string, most: number): string {
  if (project === null) return "(unknown)";
  const path =
    project === userHome || project.startsWith(`${userHome}/`) ? `~${project.slice(userHome.length)}` : project;
  return shown(path, most);
}

/** A foreign name that is safe for a terminal: one line, bounded length, no invisible characters. */
function shown(text: string, most: number): string {
  const safe = visible(text);
  if (safe.length <= most) return safe;
  const head = Math.ceil((most - 1) / 2);
  return `${safe.slice(0, head)}…${safe.slice(head + 1 - most)}`;
}

/** A sentence of ours, whose foreign parts are safe already, on one line. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
