import {
  describeHead,
  isShipAllowed,
  type Phase,
  type PhaseStatus,
  type UnifiedCheckpoint,
} from "@agent-checkpoint/phases";
import type { CommandContext } from "../command-context.ts";
import type { PhaseReport } from "./project-phases.ts";
import { renderTable, wrapText } from "../terminal/layout.ts";
import { visible } from "../terminal/visible.ts";
import { localTime } from "../time/format-time.ts";

type Page = Pick<CommandContext, "style" | "columns">;

/** A phase file as text: its phases in a table, and where it resumes. */
export function renderCheckpoint({ checkpoint, resume, head }: PhaseReport, page: Page): string {
  if (checkpoint === null) return "There is no phase file.\n";
  const { style, columns } = page;
  const moved = head === null ? null : describeHead(checkpoint, head);
  return [
    `${style.bold(titleOf(checkpoint))}  ${style.dim(timesOf(checkpoint))}\n`,
    ...(moved === null ? [] : [`${style.warn("HEAD has moved:")} ${moved}\n`]),
    "\n",
    renderPhases(checkpoint.phases, page),
    ...gateLines(checkpoint, head?.head ?? null, page),
    "\n",
    `${nextLine(checkpoint, resume.phase)}\n`,
    ...(resume.summary === null ? [] : [wrapText(oneLine(resume.summary), { columns, first: "Previous summary: " })]),
  ].join("");
}

/** A command and its feature in words. */
function titleOf({ command, feature }: Pick<UnifiedCheckpoint, "command" | "feature">): string {
  return feature === null ? command : `${command} ${visible(feature)}`;
}

function timesOf({ started_at: started, updated_at: updated, completed_at: completed }: UnifiedCheckpoint): string {
  const end = typeof completed === "string" ? `done ${localTime(completed)}` : `saved ${localTime(updated)}`;
  return `begun ${localTime(started)}, ${end}`;
}

function renderPhases(phases: Readonly<Record<string, Phase>>, page: Page): string {
  const rows = Object.entries(phases);
  if (rows.length === 0) return "No phases yet.\n";
  return renderTable(
    [
      { heading: "PHASE" },
      { heading: "STATUS" },
      { heading: "UPDATED" },
      { heading: "FILES", align: "right" },
      { heading: "NOTE" },
    ],
    rows.map(([name, phase]) => [
      visible(name),
      coloured(phase.status, page),
      phase.updated_at ? localTime(phase.updated_at) : "",
      filesOf(phase),
      noteOf(phase),
    ]),
  );
}

const MAX_NOTE_LENGTH = 40;

/** Why a phase failed, otherwise the beginning of its summary. */
function noteOf({ error, context_summary: summary }: Phase): string {
  const text = oneLine(error ?? summary ?? "");
  return text.length > MAX_NOTE_LENGTH ? `${text.slice(0, MAX_NOTE_LENGTH - 1)}…` : text;
}

function filesOf({ files_created: created, files_modified: modified }: Phase): string {
  const count = (created?.length ?? 0) + (modified?.length ?? 0);
  return count === 0 ? "" : `${count}`;
}

/** A status with its colour. */
export function coloured(status: PhaseStatus, { style }: Pick<Page, "style">): string {
  const words = status.replace("_", " ");
  if (status === "complete") return style.good(words);
  if (status === "failed") return style.bad(words);
  return status === "in_progress" ? style.warn(words) : style.dim(words);
}

function gateLines({ gate }: UnifiedCheckpoint, head: string | null, { style, columns }: Page): string[] {
  if (!gate) return [];
  if (isShipAllowed(gate, head)) return [`\nShipping is ${style.good("allowed")} at ${head?.slice(0, 7)}.\n`];
  const blockers = gate.blockers.map((blocker) => wrapText(oneLine(blocker), { columns, first: "- " }));
  return [`\nShipping is ${style.bad("not allowed")}${blockers.length === 0 ? "." : ":"}\n`, ...blockers];
}

function nextLine(checkpoint: UnifiedCheckpoint, phase: string | null): string {
  if (typeof checkpoint.completed_at === "string") return "The command is done.";
  if (phase === null) return `All phases are done: checkpoint phase complete ${checkpoint.command}`;
  return `Resumes in ${visible(phase)}.`;
}

/** Foreign text on one line of a terminal. */
export function oneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, " ").trim());
}
