import { findResumePoint, type ListedCheckpoint, type PhaseStatus } from "@agent-checkpoint/phases";
import type { PhaseEvent } from "@agent-checkpoint/store";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { historyOf, projectPhases } from "./project-phases.ts";
import { coloured } from "./render-phases.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { localTime } from "../time/format-time.ts";
import { parseSince } from "../time/parse-since.ts";
import { withStore } from "../with-store.ts";

interface Listed {
  readonly command: string;
  readonly feature: string | null;
  /** The phase to resume; null if there is none. */
  readonly phase: string | null;
  readonly isDone: boolean;
  readonly phasesDone: number;
  readonly phasesSkipped: number;
  readonly phases: number;
  readonly updatedAt: string | null;
  /** Why the file cannot be read. */
  readonly problem: string | null;
}

/** Lists the phase files of the project; the exit code is 1 if one cannot be read. */
export function listPhases({ json }: { readonly json?: true }, context: CommandContext): void {
  const { phases, settle } = projectPhases(context);
  const checkpoints = settle(phases.listCheckpoints()).map(toListed);
  if (checkpoints.some(({ problem }) => problem !== null)) context.exit(EXIT.found);
  context.out(json === true ? toJson({ stateDir: phases.getStateDir(), checkpoints }) : render(checkpoints));
}

function toListed({ command, feature, checkpoint, problem }: ListedCheckpoint): Listed {
  if (checkpoint === null)
    return { command, feature, phase: null, isDone: false, ...NO_PHASES, updatedAt: null, problem };
  const all = Object.values(checkpoint.phases);
  const count = (wanted: PhaseStatus) => all.filter(({ status }) => status === wanted).length;
  return {
    command,
    feature,
    phase: findResumePoint(checkpoint).phase,
    isDone: typeof checkpoint.completed_at === "string",
    phasesDone: count("complete"),
    phasesSkipped: count("skipped"),
    phases: all.length,
    updatedAt: checkpoint.updated_at,
    problem,
  };
}

const NO_PHASES = { phasesDone: 0, phasesSkipped: 0, phases: 0 } as const;

function render(checkpoints: readonly Listed[]): string {
  if (checkpoints.length === 0) return "There are no phase files.\n";
  return renderTable(
    [
      { heading: "COMMAND" },
      { heading: "FEATURE" },
      { heading: "RESUMES IN" },
      { heading: "PHASES", align: "right" },
      { heading: "UPDATED" },
    ],
    checkpoints.map((listed) => [
      listed.command,
      visible(listed.feature ?? ""),
      placeOf(listed),
      listed.problem === null ? `${listed.phasesDone}/${listed.phases}` : "",
      listed.updatedAt === null ? "" : localTime(listed.updatedAt),
    ]),
  );
}

function placeOf({ problem, isDone, phase, phasesSkipped }: Listed): string {
  if (problem !== null) return `unreadable: ${visible(problem)}`;
  if (!isDone) return visible(phase ?? "");
  return phasesSkipped === 0 ? "done" : `done, ${phasesSkipped} skipped`;
}

export interface HistoryOptions {
  readonly since?: string;
  readonly rebuild?: true;
  readonly json?: true;
}

/** Lists the history of the project's phases, after merging the state files into it. */
export async function listHistory({ since, rebuild, json }: HistoryOptions, context: CommandContext): Promise<void> {
  const from = since === undefined ? undefined : new Date(parseSince(since, context.now()));
  const { root, phases, settle } = projectPhases(context);
  const known = settle(phases.listCheckpoints()).flatMap(({ checkpoint }) =>
    checkpoint === null ? [] : historyOf(checkpoint),
  );
  const all = await withStore(context.home, (store) => store.phases.merge(root, known, { rebuild }));
  const events = all.filter(({ at }) => from === undefined || at >= from);
  const listed = { events: events.map((event) => ({ projectPath: root, ...event })) };
  context.out(json === true ? toJson(listed) : renderHistory(events, context));
}

function renderHistory(events: readonly PhaseEvent[], context: CommandContext): string {
  if (events.length === 0) return "No steps are recorded yet.\n";
  return renderTable(
    [
      { heading: "WHEN" },
      { heading: "COMMAND" },
      { heading: "FEATURE" },
      { heading: "PHASE" },
      { heading: "STATUS" },
      { heading: "COMMIT" },
    ],
    events.map(({ at, command, feature, phase, status, headCommit }) => [
      localTime(at),
      visible(command),
      visible(feature ?? ""),
      visible(phase ?? "(all)"),
      coloured(status as PhaseStatus, context),
      visible(headCommit?.slice(0, 7) ?? ""),
    ]),
  );
}
