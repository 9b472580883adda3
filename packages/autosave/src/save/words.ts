import { inlineCode } from "@agent-checkpoint/heuristics";
import { redactLine } from "@agent-checkpoint/redaction";
import { isSaved, type SaveReport } from "./save-report.ts";

/** The texts about a save. */
export interface SaveWords {
  /** The paragraph for the agent; null if there is nothing to say. */
  readonly message: string | null;
  /** The line for the human. */
  readonly systemMessage: string;
}

const MAX_NAMES = 8;

/** A save in words: nothing is called saved that is not in the commit. */
export function describeSave(report: SaveReport, percent: number | null): SaveWords {
  const { outcome } = report;
  if (outcome === "nothing-to-do") return { message: null, systemMessage: "agent-checkpoint: nothing to save." };
  return isSaved(outcome) ? describeCommit(report, percent) : describeFailure(report, percent);
}

function describeCommit(report: SaveReport, percent: number | null): SaveWords {
  const { commit, branch, files, nextStep } = report;
  const id = (commit ?? "").slice(0, 12);
  const where = `commit \`${id}\` on ${inlineCode(branch ?? "")}`;
  const push =
    report.outcome === "committed-push-deferred" ? `It is not pushed yet: ${line(report.detail ?? "")}` : null;
  const message = paragraphs(
    `Your work was saved${fullness(percent)}: ${where} contains ${named(files)}.`,
    leftOutLine(report),
    report.altered.length === 0 ? null : `Changed during the commit, perhaps by a hook: ${named(report.altered)}.`,
    push,
    `Next step: ${nextStep ?? "continue with the task."}`,
    "You do not need to save anything by hand.",
  );
  const pushed = report.outcome === "committed-pushed" ? ", pushed" : push === null ? "" : ", not pushed yet";
  const left = Object.keys(report.leftOut).length;
  const systemMessage = `✅ Auto-checkpoint executed: saved ${counted(files.length)} in ${id} on ${inlineCode(branch ?? "").slice(1, -1)}${pushed}${left === 0 ? "" : `; ${counted(left)} left out`}.`;
  return { message, systemMessage };
}

function describeFailure(report: SaveReport, percent: number | null): SaveWords {
  const { outcome, checkpoint, section } = report;
  const why = `${outcome}${report.detail === null ? "" : `: ${line(report.detail ?? "")}`}`;
  const message = paragraphs(
    `Your work could not be committed${fullness(percent)} (${why}).`,
    checkpoint === null ? null : `A snapshot contains your files as they are: \`${checkpoint}\`.`,
    leftOutLine(report),
    "If you can fix this, fix it and run `checkpoint save`; otherwise tell the user.",
    section === null ? null : `State of the work:\n${section}`,
  );
  const held = checkpoint === null ? "" : ` The snapshot ${checkpoint} contains the files.`;
  return { message, systemMessage: `agent-checkpoint: not committed (${why}).${held}` };
}

function leftOutLine({ leftOut }: SaveReport): string | null {
  const rows = Object.entries(leftOut);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MAX_NAMES).map(([path, reason]) => `${inlineCode(path)} (${REASONS[reason] ?? reason})`);
  const more = rows.length - shown.length;
  return `Not in a commit: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  mixed: "someone else has changed it too",
  staged: "a different version of it is staged",
  unverified: "it is unknown whether the change is yours alone",
  ignored: "git ignores it",
  "nested-repository": "it belongs to another repository",
  link: "it is behind a link",
  secret: "it contains a secret",
  "too-large": "it is too large",
  "not-in-commit": "git did not commit it",
};

function named(files: readonly string[]): string {
  const shown = files.slice(0, MAX_NAMES).map((file) => inlineCode(file));
  const more = files.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function fullness(percent: number | null): string {
  return percent === null ? "" : ` at ${Math.round(percent)} % of the context`;
}

function counted(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}

function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join("\n");
}

/** The facts in the section. */
interface SectionFacts {
  readonly branch: string | null;
  /** The commit that the work is based on; null before the first. */
  readonly head: string | null;
  /** The files that the session wrote. */
  readonly files: readonly string[];
  readonly openActions: readonly string[];
  /** Sentences about commands that failed. */
  readonly failures: readonly string[];
}

const MAX_FILES = 20;
const MAX_LINES = 8;
const MAX_CHARACTERS = 300;

/** The section's text: the same facts give the same bytes, and no time is among them. */
export function renderSection(facts: SectionFacts): string {
  const { branch, head, files, openActions, failures } = facts;
  const shown = files
    .toSorted()
    .slice(0, MAX_FILES)
    .map((file) => inlineCode(file));
  const more = files.length - shown.length;
  return [
    "Written by agent-checkpoint; the next save replaces the text between the markers.",
    "",
    `- Branch: ${branch === null ? "none" : inlineCode(branch)}${head === null ? "" : `, on top of \`${head.slice(0, 12)}\``}`,
    `- Changed in this session: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...list("Still required", openActions),
    ...list("Failing", failures),
    `- Next step: ${nextStep(facts)}`,
  ].join("\n");
}

/** The next step, as far as the turn shows it. */
export function nextStep({ openActions, failures }: Pick<SectionFacts, "openActions" | "failures">): string {
  const [action] = openActions;
  if (action !== undefined) return line(action);
  const [failure] = failures;
  return failure === undefined
    ? "continue with the task; nothing is known to be open."
    : `resolve this failure: ${line(failure)}`;
}

/** Whether two sections differ only in the commit they are based on, which every save moves. */
export function isSameNews(one: string, other: string): boolean {
  return withoutCommit(one) === withoutCommit(other);
}

function withoutCommit(section: string): string {
  return section.replace(/, on top of `[0-9a-f]+`/, "");
}

function list(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [`- ${title}: nothing`];
  const more = texts.length - MAX_LINES;
  return [
    `- ${title}:`,
    ...texts.slice(0, MAX_LINES).map((text) => `  - ${line(text)}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ];
}

/** Foreign text on one line, without secrets and without anything that opens a tag or a comment. */
function line(text: string): string {
  return redactLine(text)
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/<(?=[A-Za-z/!?])/g, "\u2039");
}
