import type { Mask } from "@agent-checkpoint/commands";
import {
  type ActionExplanation,
  type Candidate,
  type CandidateVerdict,
  type FileExplanation,
  inlineCode,
} from "@agent-checkpoint/heuristics";
import { formatNumber, wrapText } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { formatDuration } from "../time/format-time.ts";
import type { StopOutcome, StopReport } from "./stop-report.ts";
import stringWidth from "string-width";

export interface ReportLook {
  readonly style: Style;
  readonly columns: number;
}

const MAX_COLUMNS = 100;
const MAX_FILES = 20;
const MAX_COMMAND_LENGTH = 100;

export function renderReport(report: StopReport, { style, columns }: ReportLook): string {
  const look = { style, columns: Math.min(columns, MAX_COLUMNS) };
  const sections = [
    heading(report, look),
    turn(report, look),
    files(report, look),
    report.actions === null ? recorded(report, look) : actions(report.actions, look),
    observations(report, look),
    outcomes(report, look),
    snapshots(report, look),
    report.notes
      .map((note) => wrapText(visible(note), { columns: look.columns, first: style.warn("note: ") }))
      .join(""),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function heading({ stop, block, passedAfter }: StopReport, { style, columns }: ReportLook): string {
  const decision = stop.decision === "block" ? style.warn("blocked") : style.good("passed");
  const facts = [stop.agent, localTime(stop.at), ...(stop.route === "hook" ? [] : [`by ${stop.route}`])];
  const canary = stop.isCanary ? ", a canary of doctor" : "";
  const before = block === null ? "" : `The block was stop ${block}: checkpoint why ${block}\n`;
  const after =
    passedAfter === null ? "" : `Stop ${passedAfter} of the same turn passed: a turn is blocked at most once.\n`;
  return `${style.bold(`Stop ${stop.id}`)}: ${decision} (${facts.join(", ")}${canary})\n${wrapText(visible(stop.sentence), { columns })}${before}${after}`;
}

function turn({ turn: known, stop }: StopReport, { style, columns }: ReportLook): string {
  if (known === null) return "";
  const place = [
    ...(known.promptAt === null ? [] : [localTime(known.promptAt)]),
    ...(known.line === null ? [] : [`line ${known.line}`]),
    ...(known.offset === null ? [] : [`byte ${known.offset}`]),
  ];
  const rows = [
    { name: "began", text: place.join(", ") },
    { name: "prompt", text: known.promptText === null ? "" : visible(known.promptText) },
    { name: "calls", text: known.callCount === null ? "" : String(known.callCount) },
    { name: "session", text: visible(stop.sessionId) },
  ].filter(({ text }) => text !== "");
  const lines = rows.map(({ name, text }) => wrapText(text, { columns, first: `  ${name.padEnd(9)}` }));
  // A path stays on one line, so that it can be copied.
  const path = known.transcriptPath === null ? "" : `  ${visible(known.transcriptPath)}\n`;
  return `${style.bold("Turn")}\n${lines.join("")}${path}`;
}

/** The commands that go back; each stays on one line, so that it can be copied. */
function snapshots({ snapshots: known }: StopReport, { style }: ReportLook): string {
  if (known === null) return "";
  const { atStop, beforeTurn } = known;
  const rows = [
    ...(beforeTurn === null ? [] : [["before this turn", beforeTurn]]),
    ...(atStop === null ? [] : [["to this stop", atStop]]),
  ];
  return `${style.bold("Go back")}\n${rows.map(([where = "", id = ""]) => `  ${where.padEnd(18)}checkpoint snapshot restore ${id} --remove-new\n`).join("")}`;
}

function files({ files: all, scope }: StopReport, look: ReportLook): string {
  if (all === null) return "";
  const shown = all.slice(0, MAX_FILES);
  const rows = shown.map((file) => ({ left: visible(file.file), right: describeFile(file) }));
  const more = all.length > shown.length ? `  and ${all.length - shown.length} more\n` : "";
  const none = all.length > 0 ? "" : scope === "session" ? "  none changed by this session\n" : "  none changed\n";
  return `${look.style.bold("Files")}\n${besideOneAnother(rows, look)}${more}${none}`;
}

export function describeFile(file: FileExplanation): string {
  if (file.status === "document") return `a document, by ${visible(file.pattern)}`;
  if (file.status === "without-rule") return "no rule";
  const rows = file.matches.map(({ label, pattern }) => `${visible(label)}, by ${visible(pattern)}`);
  return [...new Set(rows)].join("; ");
}

/** Two columns; if the left cell is long, the right one is below it. */
function besideOneAnother(
  rows: readonly { readonly left: string; readonly right: string }[],
  { columns }: ReportLook,
): string {
  const most = Math.floor(columns / 2);
  const width = Math.max(0, ...rows.map(({ left }) => stringWidth(left)).filter((one) => one <= most));
  return rows
    .map(({ left, right }) => {
      if (stringWidth(left) > width) return `  ${left}\n${wrapText(right, { columns, first: "    " })}`;
      return wrapText(right, { columns, first: `  ${left}${" ".repeat(width - stringWidth(left))}  ` });
    })
    .join("");
}

function actions(all: readonly ActionExplanation[], look: ReportLook): string {
  const asked = all.filter(({ status }) => status !== "not-asked");
  const others = all.filter(({ status }) => status === "not-asked").map(({ id }) => visible(id));
  const rest =
    others.length === 0
      ? ""
      : wrapText(look.style.dim(`not asked for: ${others.join(", ")}`), { columns: look.columns, first: "  " });
  return `${look.style.bold("Actions")}\n${asked.map((action) => actionLines(action, look)).join("")}${rest}`;
}

function actionLines(action: ActionExplanation, look: ReportLook): string {
  const { style, columns } = look;
  const status = action.status === "done" ? style.good(describeStatus(action)) : style.warn(describeStatus(action));
  const head = wrapText(`${status}, ${askedBy(action)}`, { columns, first: `  ${visible(action.id)}: ` });
  const steps = action.steps.map(({ run, status: seen, candidates }) => {
    const name = `    ${visible(run)}`;
    if (seen === "unknown") return `${name}: no transcript to search\n`;
    if (seen === "not-reached") return `${name}: not searched for, because an earlier step is missing\n`;
    if (candidates.length === 0) return `${name}: not seen in the turn\n`;
    return `${name}\n${candidates.map((candidate) => candidateLines(candidate, look)).join("")}`;
  });
  return head + steps.join("");
}

const MAX_ASKING_FILES = 3;

/** Whether an action is done; the agent hears nothing of a rule in shadow. */
export function describeStatus({ status, mode }: ActionExplanation): string {
  if (mode !== "shadow") return status;
  return status === "done" ? "done (shadow)" : "open, not said (shadow)";
}

/** What asks for an action, or would if the rule were not in shadow. */
export function askedBy({ isBaseline, askedBy: all, mode }: ActionExplanation): string {
  const asked = mode === "shadow" ? "would be asked for" : "asked for";
  if (isBaseline) return `${asked} at every stop`;
  const named = all.slice(0, MAX_ASKING_FILES).map(visible);
  return `${asked} by ${named.join(", ")}${all.length > named.length ? ` and ${all.length - named.length} more` : ""}`;
}

function candidateLines({ call, verdict }: Candidate, { style, columns }: ReportLook): string {
  const first = `      call ${call.number}  `;
  const by = call.by === "subagent" ? " (a sub-agent's)" : "";
  const highlight = verdict.status === "counted" ? style.good : style.warn;
  return [
    wrapText(`${inlineCode(call.what, MAX_COMMAND_LENGTH)}${by}`, { columns, first }),
    wrapText(highlight(describeVerdict(verdict)), { columns, first: " ".repeat(first.length) }),
  ].join("");
}

/** The recorded actions, if nothing more is known. */
function recorded({ stop }: StopReport, { style }: ReportLook): string {
  if (stop.actions.length === 0) return "";
  return `${style.bold("Actions")}\n${stop.actions.map((id) => `  ${visible(id)}: ${style.warn("open")}\n`).join("")}`;
}

function observations({ observations: explained, stop }: StopReport, { style, columns }: ReportLook): string {
  const all = explained ?? stop.observations.map((text) => ({ text, calls: [] }));
  if (all.length === 0) return "";
  const lines = all.map(({ text, calls }) => {
    const from = calls.map(({ number, what }) =>
      wrapText(inlineCode(what, MAX_COMMAND_LENGTH), { columns, first: `      call ${number}  ` }),
    );
    return `${wrapText(visible(text), { columns, first: "  - " })}${from.join("")}`;
  });
  return `${style.bold("Observations")}\n${lines.join("")}`;
}

/** The outcomes and the cost of a stop. */
function outcomes({ outcomes: all, cost }: StopReport, { style, columns }: ReportLook): string {
  const rows = all.map((one) => {
    const mode = one.mode === "require" ? "" : ` (${one.mode})`;
    return wrapText(describeOutcome(one), { columns, first: `  ${visible(one.rule)}${mode}: ` });
  });
  const took = cost === null ? "" : wrapText(describeCost(cost), { columns, first: "  " });
  return rows.length === 0 && took === "" ? "" : `${style.bold("What came of it")}\n${rows.join("")}${took}`;
}

const UNKNOWN: Readonly<Record<string, string>> = {
  "no-trail": "there was no transcript",
  "transcript-gone": "the transcript was gone",
  "cut-short": "the turn was cut short",
  "rules-changed": "the rules have changed since",
  "repository-gone": "the repository is gone",
  repeated: "an earlier stop found the same",
};

/** The meaning of each outcome that its name alone does not tell. */
const MEANINGS: Readonly<Partial<Record<StopOutcome["outcome"], string>>> = {
  partly: "partly: tried, but it failed, hid its result, or went stale",
  escaped: "escaped: committed or left without it",
  moot: "moot: the files went back",
};

/** The outcome of a rule at a stop, in a few words. */
export function describeOutcome({ outcome, why, note }: Pick<StopOutcome, "outcome" | "why" | "note">): string {
  if (outcome === "waived") return `waived, because ${visible(note ?? "of a reason that was not kept")}`;
  if (outcome === "unknown") return `not known: ${UNKNOWN[why ?? ""] ?? visible(why ?? "no reason was kept")}`;
  return MEANINGS[outcome] ?? outcome;
}

/** The cost between a block and the end of its turn. */
export function describeCost({ seconds, tokens }: NonNullable<StopReport["cost"]>): string {
  const parts = [
    ...(seconds === null ? [] : [formatDuration(seconds)]),
    ...(tokens === null ? [] : [`${formatNumber(tokens)} tokens`]),
  ];
  return `The rest of the turn took ${parts.join(" and ")}.`;
}

function localTime(moment: Date): string {
  return moment.toLocaleString("sv-SE");
}

/** How a command line hides the status of a command. */
const MASKS: Readonly<Record<Mask, string>> = {
  sequence: "a later command in the line decides the exit status",
  background: "it was sent to the background",
  pipe: "a pipe ends with the exit status of its last command",
  negation: "`!` inverts its exit status",
  or: "`||` hides its failure",
  branch: "it is in a branch or a loop",
  substitution: "it is in a substitution",
  syntax: "the line could not be parsed completely",
};

/** Why a call counts as evidence or does not, in a few words. */
export function describeVerdict(verdict: CandidateVerdict): string {
  switch (verdict.status) {
    case "counted":
      return "counts";
    case "repeated":
      return "a later run counts";
    case "stale":
      return `stale: call ${verdict.changedBy} changed ${visible(verdict.file)} after it`;
    case "too-early":
      return `too early: it has to come after ${visible(verdict.before)}`;
    case "failed":
      return verdict.exitCode === null ? "failed" : `failed with exit status ${verdict.exitCode}`;
    case "refused":
      return "refused or interrupted by the user";
    case "masked":
      return `masked: ${verdict.by === null ? "its exit status is lost" : MASKS[verdict.by]}, and its output is no proof`;
    case "empty":
      return "it ran no tests";
    case "unfinished":
      return "no result: no end was seen";
    case "elsewhere":
      return `ran in another folder: ${visible(verdict.folder ?? "unknown")}`;
    case "dry-run":
      return "only printed what it would do";
    default:
      return verdict.by === null
        ? "only mentioned: in a comment, a heredoc or a string"
        : `only mentioned: in an argument of ${visible(verdict.by)}`;
  }
}
