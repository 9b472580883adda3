import { findResumePoint, type ListedCheckpoint } from "@agent-checkpoint/phases";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { localTime } from "./local-time.ts";
import { projectPhases } from "./project-phases.ts";

/** A line of the list. */
interface Listed {
  readonly command: string;
  readonly feature: string | null;
  /** Where it goes on; null where it does not. */
  readonly phase: string | null;
  readonly isDone: boolean;
  /** How many of its phases are complete or skipped, and how many there are. */
  readonly phasesDone: number;
  readonly phases: number;
  readonly updatedAt: string | null;
  /** Why the file cannot be read. */
  readonly problem: string | null;
}

/** Lists the checkpoints of the project; the exit code is 1 where one cannot be read. */
export function listPhases({ json }: { readonly json?: true }, context: CommandContext): void {
  const { phases, settle } = projectPhases(context);
  const checkpoints = settle(phases.listCheckpoints()).map(toListed);
  if (checkpoints.some(({ problem }) => problem !== null)) context.exit(EXIT.found);
  context.out(json === true ? toJson({ stateDir: phases.getStateDir(), checkpoints }) : render(checkpoints));
}

function toListed({ command, feature, checkpoint, problem }: ListedCheckpoint): Listed {
  if (checkpoint === null)
    return { command, feature, phase: null, isDone: false, phasesDone: 0, phases: 0, updatedAt: null, problem };
  const all = Object.values(checkpoint.phases);
  return {
    command,
    feature,
    phase: findResumePoint(checkpoint).phase,
    isDone: typeof checkpoint.completed_at === "string",
    phasesDone: all.filter(({ status }) => status === "complete" || status === "skipped").length,
    phases: all.length,
    updatedAt: checkpoint.updated_at,
    problem,
  };
}

function render(checkpoints: readonly Listed[]): string {
  if (checkpoints.length === 0) return "There are no checkpoints.\n";
  return renderTable(
    [
      { heading: "COMMAND" },
      { heading: "FEATURE" },
      { heading: "GOES ON IN" },
      { heading: "PHASES", align: "right" },
      { heading: "UPDATED" },
    ],
    checkpoints.map(({ command, feature, phase, isDone, phasesDone, phases, updatedAt, problem }) => [
      command,
      visible(feature ?? ""),
      problem === null ? (isDone ? "done" : visible(phase ?? "")) : `unreadable: ${visible(problem)}`,
      problem === null ? `${phasesDone}/${phases}` : "",
      updatedAt === null ? "" : localTime(updatedAt),
    ]),
  );
}
