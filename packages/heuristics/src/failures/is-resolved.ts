import { type Outcome, outcomeOf } from "../evidence/find-runs.ts";
import { type ProjectPlace, toProjectPath } from "../turn/project-path.ts";
import type { PlacedCommand, TurnCall } from "../turn/read-turn.ts";
import { concernedFiles } from "./concerned-files.ts";
import { covers } from "./covers.ts";
import { commandsThatMayHaveFailed } from "../turn/suspects.ts";

/**
 * Whether something later in the turn made a failure good: a successful run of the same command or of a wider one,
 * an edit or write of the file concerned, or a shell command on that file.
 * A re-run that failed again takes the earlier failure's place.
 */
export function isResolved(failure: TurnCall, later: readonly TurnCall[], place: ProjectPlace): boolean {
  return isRerun(failure, later) || isFileTakenUp(concernedFiles(failure, place), later, place);
}

function isRerun(failure: TurnCall, later: readonly TurnCall[]): boolean {
  const suspects = commandsThatMayHaveFailed(failure);
  const reruns = later.filter(({ record }) => !record.rejected);
  const hasEnded = (outcome: Outcome, { record }: TurnCall) =>
    outcome === "succeeded" || outcome === "failed" || record.reports.some((report) => report.outcome === "green");
  const wasRun = (suspect: PlacedCommand) =>
    reruns.some((call) =>
      call.commands.some((command) => hasEnded(outcomeOf(call, command), call) && covers(command.argv, suspect.argv)),
    );
  return suspects.length > 0 && suspects.every(wasRun);
}

function isFileTakenUp(files: ReadonlySet<string>, later: readonly TurnCall[], place: ProjectPlace): boolean {
  return later.some((call) => {
    const { kind, hadError, rejected } = call.record;
    if (hadError !== false || rejected) return false;
    if (kind === "edit" || kind === "write") return call.writes.some(({ file }) => files.has(file));
    return kind === "shell" && call.commands.some((command) => names(command, files, place));
  });
}

function names({ argv, folder, redirectsTo }: PlacedCommand, files: ReadonlySet<string>, place: ProjectPlace): boolean {
  return [...argv.slice(1), ...redirectsTo].some((word) => {
    const file = toProjectPath(word, place, folder ?? ".");
    return file !== null && files.has(file);
  });
}
