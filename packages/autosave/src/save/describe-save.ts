import { inlineCode } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/snapshots";
import { isSaved, type SaveReport } from "./outcome.ts";

/** What is told of a save. */
export interface SaveWords {
  /** The paragraph for the agent; null where there is nothing to say. */
  readonly message: string | null;
  /** The line for the human. */
  readonly systemMessage: string;
}

const MOST_NAMES = 8;

/** A save in words: nothing is called saved that is not in the commit. */
export function describeSave(report: SaveReport, percent: number | null): SaveWords {
  const { outcome } = report;
  if (outcome === "nothing_to_do") return { message: null, systemMessage: "agent-checkpoint: nothing to save." };
  return isSaved(outcome) ? describeCommit(report, percent) : describeFailure(report, percent);
}

function describeCommit(report: SaveReport, percent: number | null): SaveWords {
  const { commit, branch, files, nextStep } = report;
  const id = (commit ?? "").slice(0, 12);
  const where = `commit \`${id}\` on ${inlineCode(branch ?? "")}`;
  const push = report.outcome === "committed_push_deferred" ? `It is not pushed yet: ${oneLine(report.detail)}` : null;
  const message = paragraphs(
    `Your work was saved${fullness(percent)}: ${where} holds ${named(files)}.`,
    leftOutLine(report),
    report.altered.length === 0
      ? null
      : `Changed on its way into the commit, by a hook perhaps: ${named(report.altered)}.`,
    push,
    `Next step: ${nextStep ?? "go on with the task."}`,
    "Nothing has to be saved by hand. Go on from there.",
  );
  const pushed = report.outcome === "committed_pushed" ? ", pushed" : push === null ? "" : ", not pushed yet";
  const left = Object.keys(report.leftOut).length;
  const systemMessage = `agent-checkpoint: saved ${counted(files.length)} in ${id} on ${inlineCode(branch ?? "").slice(1, -1)}${pushed}${left === 0 ? "" : `; ${counted(left)} left out`}.`;
  return { message, systemMessage };
}

function describeFailure(report: SaveReport, percent: number | null): SaveWords {
  const { outcome, checkpoint, section } = report;
  const why = `${outcome}${report.detail === null ? "" : `: ${oneLine(report.detail)}`}`;
  const message = paragraphs(
    `Your work could not be committed${fullness(percent)} (${why}).`,
    checkpoint === null ? null : `A safety checkpoint holds your files as they are: \`${checkpoint}\`.`,
    leftOutLine(report),
    "Put that right if it is yours to put right, then run `checkpoint save`; otherwise tell the user.",
    section === null ? null : `Where the work stands:\n${section}`,
  );
  const held = checkpoint === null ? "" : ` The safety checkpoint ${checkpoint} holds the files.`;
  return { message, systemMessage: `agent-checkpoint: not committed (${why}).${held}` };
}

function leftOutLine({ leftOut }: SaveReport): string | null {
  const rows = Object.entries(leftOut);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MOST_NAMES).map(([path, reason]) => `${inlineCode(path)} (${REASONS[reason] ?? reason})`);
  const more = rows.length - shown.length;
  return `Not in a commit: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  mixed: "somebody else has changed it as well",
  staged: "something else of it is staged",
  unverified: "nobody can tell whether the change is yours alone",
  ignored: "git ignores it",
  nested_repository: "it is another repository's",
  link: "it is behind a link",
  secret: "it holds a secret",
  too_large: "it is too large",
  not_in_commit: "git did not take it",
};

function named(files: readonly string[]): string {
  const shown = files.slice(0, MOST_NAMES).map((file) => inlineCode(file));
  const more = files.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function fullness(percent: number | null): string {
  return percent === null ? "" : ` at ${Math.round(percent)} % of the context`;
}

function counted(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}

/** What git or a hook said, as data. */
function oneLine(text: string | null): string {
  return redact(text ?? "")
    .slice(0, 300)
    .replaceAll(/<(?=[A-Za-z/!?])/g, "\u2039");
}

function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join("\n");
}
