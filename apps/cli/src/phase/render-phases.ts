import {
  describeHead,
  type HeadComparison,
  isShipAllowed,
  type Phase,
  type ResumePoint,
  type UnifiedCheckpoint,
} from "@agent-checkpoint/phases";
import type { PhaseEvent } from "@agent-checkpoint/store";
import type { CommandContext } from "../command-context.ts";
import { renderTable, right, wrapText } from "../terminal/layout.ts";
import { visible } from "../terminal/visible.ts";
import { localTime } from "../time/format-time.ts";

type Page = Pick<CommandContext, "style" | "columns">;

export interface PhaseReport {
  readonly checkpoint: UnifiedCheckpoint | null;
  readonly resume: ResumePoint;
  /** How HEAD relates to the commits of the phase file; null if there is none. */
  readonly head: HeadComparison | null;
}

/** A phase file as text: its phases in a table, and where it resumes. */
export function renderReport({ checkpoint, resume, head }: PhaseReport, page: Page): string {
  if (checkpoint === null) return "There is no phase file.\n";
  const { style, columns } = page;
  const { command, feature, started_at: started, updated_at: updated, completed_at: completed } = checkpoint;
  const title = feature === null ? command : `${command} ${visible(feature)}`;
  const end = typeof completed === "string" ? `done ${localTime(completed)}` : `saved ${localTime(updated)}`;
  const moved = head === null ? null : describeHead(checkpoint, head);
  return [
    `${style.bold(title)}  ${style.dim(`begun ${localTime(started)}, ${end}`)}\n`,
    moved === null ? "" : `${style.warn("HEAD has moved:")} ${moved}\n`,
    "\n",
    renderPhases(checkpoint.phases, page),
    renderGate(checkpoint, head?.head ?? null, page),
    `\n${nextLine(checkpoint, resume.phase)}\n`,
    paragraph("Previous summary: ", resume.summary, columns),
  ].join("");
}

function renderPhases(phases: Readonly<Record<string, Phase>>, page: Page): string {
  const rows = Object.entries(phases).map(([name, phase]) => {
    const files = (phase.files_created?.length ?? 0) + (phase.files_modified?.length ?? 0);
    return [
      visible(name),
      coloured(phase.status, page),
      phase.updated_at ? localTime(phase.updated_at) : "",
      files === 0 ? "" : `${files}`,
      noteOf(phase),
    ];
  });
  if (rows.length === 0) return "No phases yet.\n";
  return renderTable(["PHASE", "STATUS", "UPDATED", right("FILES"), "NOTE"], rows);
}

const MAX_NOTE_LENGTH = 40;

/** Why a phase failed, otherwise the beginning of its summary. */
function noteOf({ error, context_summary: summary }: Phase): string {
  const text = oneLine(error ?? summary ?? "");
  return text.length > MAX_NOTE_LENGTH ? `${text.slice(0, MAX_NOTE_LENGTH - 1)}…` : text;
}

function coloured(status: string, { style }: Page): string {
  const words = status.replace("_", " ");
  if (status === "complete") return style.good(words);
  if (status === "failed") return style.bad(words);
  return status === "in_progress" ? style.warn(words) : style.dim(words);
}

function renderGate({ gate }: UnifiedCheckpoint, head: string | null, { style, columns }: Page): string {
  if (!gate) return "";
  if (isShipAllowed(gate, head)) return `\nShipping is ${style.good("allowed")} at ${head?.slice(0, 7)}.\n`;
  const blockers = gate.blockers.map((blocker) => paragraph("- ", blocker, columns));
  return `\nShipping is ${style.bad("not allowed")}${blockers.length === 0 ? "." : ":"}\n${blockers.join("")}`;
}

function nextLine(checkpoint: UnifiedCheckpoint, phase: string | null): string {
  if (typeof checkpoint.completed_at === "string") return "The command is done.";
  if (phase === null) return `All phases are done: checkpoint phase complete ${checkpoint.command}`;
  return `Resumes in ${visible(phase)}.`;
}

/** Where a command resumes, and what its phase file says of it. */
export function renderResume(
  { checkpoint, resume, notes }: Omit<PhaseReport, "head"> & { readonly notes: Phase | null },
  { columns }: Page,
): string {
  const { phase, summary } = resume;
  if (checkpoint === null) return "There is no phase file.\n";
  if (phase === null)
    return typeof checkpoint.completed_at === "string" ? "The command is done.\n" : "All phases are done.\n";
  return [
    `${visible(phase)} (${(notes?.status ?? "pending").replace("_", " ")})\n`,
    paragraph("It failed: ", notes?.error, columns),
    paragraph("So far: ", notes?.context_summary, columns),
    paragraph("Previous summary: ", summary, columns),
  ].join("");
}

interface ListedRun {
  readonly command: string;
  readonly feature: string | null;
  readonly phase: string | null;
  readonly isDone: boolean;
  readonly phasesDone: number;
  readonly phasesSkipped: number;
  readonly phases: number;
  readonly updatedAt: string | null;
  readonly problem: string | null;
}

export function renderList(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return "There are no phase files.\n";
  const rows = runs.map((run) => [
    run.command,
    visible(run.feature ?? ""),
    placeOf(run),
    run.problem === null ? `${run.phasesDone}/${run.phases}` : "",
    run.updatedAt === null ? "" : localTime(run.updatedAt),
  ]);
  return renderTable(["COMMAND", "FEATURE", "RESUMES IN", right("PHASES"), "UPDATED"], rows);
}

function placeOf({ problem, isDone, phase, phasesSkipped }: ListedRun): string {
  if (problem !== null) return `unreadable: ${visible(problem)}`;
  if (!isDone) return visible(phase ?? "");
  return phasesSkipped === 0 ? "done" : `done, ${phasesSkipped} skipped`;
}

export function renderHistory(events: readonly PhaseEvent[], page: Page): string {
  if (events.length === 0) return "No steps are recorded yet.\n";
  const rows = events.map(({ at, command, feature, phase, status, headCommit }) => [
    localTime(at),
    visible(command),
    visible(feature ?? ""),
    visible(phase ?? "(all)"),
    coloured(status, page),
    visible(headCommit?.slice(0, 7) ?? ""),
  ]);
  return renderTable(["WHEN", "COMMAND", "FEATURE", "PHASE", "STATUS", "COMMIT"], rows);
}

/** A text behind its label; nothing if there is no text. */
function paragraph(label: string, text: string | null | undefined, columns: number): string {
  return text ? wrapText(oneLine(text), { columns, first: label }) : "";
}

/** Foreign text on one line of a terminal. */
function oneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, " ").trim());
}
