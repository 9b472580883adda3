import type { PhaseStatus } from "@agent-checkpoint/phases";
import type { PhaseEvent } from "@agent-checkpoint/store";
import type { CommandContext } from "../commands/command-context.ts";
import { parseSince } from "../time/parse-since.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { localTime } from "./local-time.ts";
import { projectPhases } from "./project-phases.ts";
import { historyOf } from "./record-history.ts";
import { coloured } from "./render-checkpoint.ts";

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
  context.out(json === true ? toJson(listed) : render(events, context));
}

function render(events: readonly PhaseEvent[], context: CommandContext): string {
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
