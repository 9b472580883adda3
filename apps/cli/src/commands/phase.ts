import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  COMMAND_NAMES,
  createCheckpoint,
  findResumePoint,
  type PhasePatch,
  usualPhases,
} from "@agent-checkpoint/phases";
import { Argument, type Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { historyOf, openRun, type PhaseRun, projectPhases } from "../phase/project-phases.ts";
import { renderHistory, renderList, renderReport, renderResume } from "../phase/render-phases.ts";
import { toJson } from "../terminal/visible.ts";
import { parseSince } from "../time/parse-since.ts";
import { withStore } from "../with-store.ts";

/** `checkpoint phase`: tracks and resumes long-running commands. */
export function phase(command: Command, context: CommandContext): void {
  command
    .description(
      "Tracks the phases of a long command (start, design, reconcile, research, implement, ship, review) in .claude/state, so that the next run can resume.",
    )
    .addHelpText("after", HELP);

  /** A subcommand for one command, with an optional feature. */
  const below = (name: string, summary: string): Command =>
    command
      .command(name)
      .summary(summary)
      .description(`${summary}.`)
      .addArgument(new Argument("<command>", "the command").choices(COMMAND_NAMES))
      .option("--feature <name>", "the feature that the command works on")
      .option("--json", "print one JSON value");

  below("start", "Begin or resume a run: set a phase in progress")
    .argument("[phase]", "the phase (default: the one to resume, or the first)")
    .option("--phases <names>", "the phases of a new run in order, separated by commas (default: the usual ones)")
    .option("--restart", "begin a new run even if one is in progress")
    .option("--reopen", "reopen a completed phase")
    .action((name: string, phaseName: string | undefined, options: StartOptions) =>
      startPhase(openRun(name, options, context), phaseName, options),
    );
  below("update", "Change a phase: its status, its summary, its files")
    .argument("<phase>", "the phase")
    .option("--status <status>", "pending, in_progress, complete, failed or skipped")
    .option("--summary <text>", "what the next phase needs to know, in at most 500 tokens")
    .option("--summary-file <file>", "the same from a file, or from stdin with -")
    .option("--created <files...>", "the files that it created")
    .option("--modified <files...>", "the files that it changed")
    .option("--error <text>", "why it failed")
    .option("--reopen", "reopen the phase if it is complete")
    .option("--accept-head", "stop warning that HEAD has moved since the run began")
    .option("--allow-ship", "ship: open the gate for the current HEAD commit")
    .option("--block-ship <reasons...>", "ship: close the gate for these reasons")
    .action((name: string, phaseName: string, options: UpdateOptions) =>
      updatePhase(openRun(name, options, context), phaseName, { options, patch: patchOf(options, context.cwd) }),
    );
  below("complete", "Complete a phase, or the whole command")
    .argument("[phase]", "the phase (default: the whole command)")
    .option("--summary <text>", "what the next phase needs to know, in at most 500 tokens")
    .option("--summary-file <file>", "the same from a file, or from stdin with -")
    .option("--created <files...>", "the files that the phase created")
    .option("--modified <files...>", "the files that the phase changed")
    .action((name: string, phaseName: string | undefined, options: PatchOptions & RunOptions) => {
      const run = openRun(name, options, context);
      if (phaseName === undefined) run.complete();
      else run.update(phaseName, { ...patchOf(options, context.cwd), status: "complete" });
      return run.printChange();
    });
  below("resume", "Show where a command resumes, and what was done before").action(
    (name: string, options: RunOptions) => {
      const run = openRun(name, options, context);
      const { checkpoint, resume, head } = run.load();
      const notes = resume.phase === null ? null : (checkpoint?.phases[resume.phase] ?? null);
      if (resume.phase === null) context.exit(EXIT.found);
      const found = {
        command: run.command,
        feature: run.feature,
        ...resume,
        status: notes?.status ?? null,
        notes,
        head,
      };
      context.out(options.json === true ? toJson(found) : renderResume({ checkpoint, resume, notes }, context));
    },
  );
  below("show", "Show the phases of a command").action((name: string, options: RunOptions) => {
    const report = openRun(name, options, context).load();
    if (report.checkpoint === null) context.exit(EXIT.found);
    context.out(options.json === true ? toJson(report) : renderReport(report, context));
  });
  command
    .command("list")
    .summary("List the phase files of this project, or their history")
    .description("Lists the phase files of this project, or their history.")
    .option("--history", "the steps of all runs, newest first")
    .option("--since <when>", "only steps since then: 12h, 7d, 2w or a date")
    .option("--rebuild", "delete the history and rebuild it from the state files")
    .option("--json", "print one JSON value")
    .action((options: ListOptions) => {
      const isHistory = options.history === true || options.since !== undefined || options.rebuild === true;
      return isHistory ? listHistory(options, context) : listPhases(options, context);
    });
}

const HELP = `
Exit codes: 0 done; 1 nothing to resume (resume), no phase file (show), or an
unreadable one (list); 2 refused: a name, a step, a summary over 500 tokens, a
conflicting save; 3 a file or the lock failed.

Examples:
  $ checkpoint phase start implement build --feature auth
  $ checkpoint phase update implement build --feature auth --summary "Half done."
  $ checkpoint phase complete implement build --feature auth --summary "Built."
  $ checkpoint phase resume implement --feature auth --json
  $ checkpoint phase show implement --feature auth
  $ checkpoint phase list
  $ checkpoint phase list --history --since 7d
  $ checkpoint phase complete implement --feature auth
`;

interface RunOptions {
  readonly feature?: string;
  readonly json?: true;
}

interface StartOptions extends RunOptions {
  readonly phases?: string;
  readonly restart?: true;
  readonly reopen?: true;
}

function startPhase(run: PhaseRun, phaseName: string | undefined, options: StartOptions): Promise<void> {
  const { checkpoint, resume } = run.load();
  const isOver = checkpoint === null || typeof checkpoint.completed_at === "string";
  const isNew = options.restart === true || (isOver && options.reopen !== true);
  if (!isNew && options.phases !== undefined)
    throw refused("the command is already in progress with other phases", "Add --restart to start over.");
  const plan = planOf(run, phaseName, options);
  const next = phaseName ?? (isNew ? plan[0] : resume.phase);
  if (isNew && !next) throw refused("--phases lists no phase");
  if (!next)
    throw refused("all phases are done", "End it with checkpoint phase complete, or name a phase to continue.");
  // If two processes begin at once, the second one finds an unknown revision.
  if (isNew) run.save({ ...createCheckpoint(run.command, plan), revision: checkpoint?.revision ?? 0 });
  run.update(next, { status: "in_progress", ...(options.reopen === true && { reopen: true }) });
  return run.printChange();
}

/** The phases of a new run: the given ones, otherwise the usual ones, unless a phase is named that is not among them. */
function planOf({ command }: PhaseRun, phaseName: string | undefined, { phases }: StartOptions): readonly string[] {
  const usual = usualPhases(command);
  if (phases !== undefined) return phases.split(",").map((name) => name.trim());
  return phaseName === undefined || usual.includes(phaseName) ? usual : [phaseName];
}

interface UpdateOptions extends PatchOptions, RunOptions {
  readonly acceptHead?: true;
  readonly allowShip?: true;
  readonly blockShip?: readonly string[];
}

function updatePhase(
  run: PhaseRun,
  phaseName: string,
  { options, patch }: { readonly options: UpdateOptions; readonly patch: PhasePatch },
): Promise<void> {
  const { acceptHead, allowShip, blockShip = [] } = options;
  const isGate = allowShip === true || options.blockShip !== undefined;
  if (Object.keys(patch).length === 0 && !isGate && acceptHead !== true)
    throw refused("nothing to change", "Add --status, --summary or another option.");
  if (isGate && run.command !== "ship") throw refused("only ship has a gate");
  run.update(phaseName, patch);
  if (isGate) {
    const { checkpoint, head } = run.load();
    const isAllowed = allowShip === true && blockShip.length === 0;
    run.save({
      ...checkpoint,
      gate: { ship_allowed: isAllowed, blockers: blockShip, head_commit: head?.head ?? null },
    });
  }
  if (acceptHead === true) run.acceptHead();
  return run.printChange();
}

interface PatchOptions {
  readonly status?: PhasePatch["status"];
  readonly summary?: string;
  readonly summaryFile?: string;
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  readonly error?: string;
  readonly reopen?: true;
}

/** What the options change of a phase. */
function patchOf(options: PatchOptions, cwd: string): PhasePatch {
  const { status, created: files_created, modified: files_modified, error, reopen } = options;
  const context_summary = summaryOf(options, cwd);
  const patch = { status, context_summary, files_created, files_modified, error, reopen };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

function summaryOf({ summary, summaryFile }: PatchOptions, cwd: string): string | undefined {
  if (summaryFile === undefined) return summary;
  if (summary !== undefined) throw refused("--summary and --summary-file exclude each other");
  try {
    // 0 is the descriptor of stdin.
    return readFileSync(summaryFile === "-" ? 0 : resolve(cwd, summaryFile), "utf8").trim();
  } catch (error) {
    throw refused(`the summary cannot be read: ${error instanceof Error ? error.message : "it failed"}`);
  }
}

interface ListOptions {
  readonly history?: true;
  readonly since?: string;
  readonly rebuild?: true;
  readonly json?: true;
}

/** Lists the phase files of the project; the exit code is 1 if one cannot be read. */
function listPhases({ json }: ListOptions, context: CommandContext): void {
  const { phases, settle } = projectPhases(context);
  const checkpoints = settle(phases.listCheckpoints()).map(({ command, feature, checkpoint, problem }) => {
    const statuses = Object.values(checkpoint?.phases ?? {}).map(({ status }) => status);
    return {
      command,
      feature,
      phase: checkpoint === null ? null : findResumePoint(checkpoint).phase,
      isDone: typeof checkpoint?.completed_at === "string",
      phasesDone: statuses.filter((status) => status === "complete").length,
      phasesSkipped: statuses.filter((status) => status === "skipped").length,
      phases: statuses.length,
      updatedAt: checkpoint?.updated_at ?? null,
      problem,
    };
  });
  if (checkpoints.some(({ problem }) => problem !== null)) context.exit(EXIT.found);
  context.out(json === true ? toJson({ stateDir: phases.getStateDir(), checkpoints }) : renderList(checkpoints));
}

/** Lists the history of the project's phases, after merging the state files into it. */
async function listHistory({ since, rebuild, json }: ListOptions, context: CommandContext): Promise<void> {
  const from = since === undefined ? 0 : parseSince(since, context.now());
  const { root, phases, settle } = projectPhases(context);
  const known = settle(phases.listCheckpoints()).flatMap(({ checkpoint }) => checkpoint ?? []);
  const all = await withStore(context.home, (store) => store.phases.merge(root, known.flatMap(historyOf), { rebuild }));
  const events = all.filter(({ at }) => at.getTime() >= from);
  const listed = { events: events.map((event) => ({ projectPath: root, ...event })) };
  context.out(json === true ? toJson(listed) : renderHistory(events, context));
}
