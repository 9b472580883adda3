import { dirname, resolve } from "node:path";
import {
  acceptHead,
  compareHead,
  completeCheckpoint,
  type HeadComparison,
  listCheckpoints,
  type ListedCheckpoint,
  loadCheckpoint,
  saveCheckpoint,
  updatePhase,
} from "./calls.ts";
import type { CommandName } from "./commands.ts";
import type { CheckpointInput, PhasePatch, UnifiedCheckpoint } from "./document/schema.ts";
import { findResumePoint, NOWHERE, type ResumePoint } from "./document/steps.ts";
import { keyOf } from "./names.ts";
import { CheckpointError, createReporter, type Fault, type Reporter, sharedReporter } from "./report.ts";
import { findProjectRoot, stateFolderOf } from "./storage/state-folder.ts";
import type { Project } from "./storage/stored-document.ts";

/** How the phases of a project are opened. */
export interface PhasesOptions {
  /** The project; by default found from the current folder at every call. */
  readonly root?: string | undefined;
  readonly now?: (() => Date) | undefined;
  /** Receives the lines of the log; by default the function set with `setLogError`, or stderr. */
  readonly logError?: ((line: string) => void) | undefined;
  /** How long a save waits for another process: 10 seconds. */
  readonly lockTimeoutMs?: number | undefined;
}

type Feature = string | null | undefined;

/** The phase files of a project. No call throws: a failed one returns its default and logs a line, and `getLastError` returns the reason. */
export interface Phases {
  /** The phase file of a command; null if there is none. */
  readonly loadCheckpoint: (command: CommandName, feature?: Feature) => UnifiedCheckpoint | null;
  /** Saves a whole checkpoint; false if it was not saved. */
  readonly saveCheckpoint: (
    command: CommandName,
    checkpoint: CheckpointInput | UnifiedCheckpoint,
    feature?: Feature,
  ) => boolean;
  /** Changes one phase; false if it was not changed. */
  readonly updatePhase: (command: CommandName, phase: string, patch: PhasePatch, feature?: Feature) => boolean;
  /** Notes that a command is done. */
  readonly completeCheckpoint: (command: CommandName, feature?: Feature) => boolean;
  /** Where a command resumes; nulls when it is done. */
  readonly getResumePoint: (command: CommandName, feature?: Feature) => ResumePoint;
  /** The folder of the phase files, whether it exists or not; null if there is no project. */
  readonly getStateDir: () => string | null;
  /** All checkpoints of the project. */
  readonly listCheckpoints: () => readonly ListedCheckpoint[];
  /** How HEAD relates to the commits of a phase file. */
  readonly compareHead: (checkpoint: UnifiedCheckpoint) => HeadComparison;
  /** Stops the warning of a HEAD that has moved. */
  readonly acceptHead: (command: CommandName, feature?: Feature) => boolean;
  readonly getLastError: () => Fault | null;
}

const UNKNOWN_HEAD: HeadComparison = { head: null, sinceSave: "unknown", sinceStart: "unknown" };

/** Opens the phases of a project. */
export function openPhases(options: PhasesOptions = {}): Phases {
  const { root, now = () => new Date(), logError, lockTimeoutMs = 10_000 } = options;
  const reporter: Reporter = logError === undefined ? sharedReporter : createReporter(logError);
  const project = (): Project => ({
    root: root === undefined ? findProjectRoot() : checkedRoot(root),
    now: now(),
    reporter,
    lockTimeoutMs,
  });
  const isDone = (work: () => unknown): boolean =>
    reporter.attempt(() => {
      work();
      return true;
    }, false);

  return {
    loadCheckpoint: (command, feature) =>
      reporter.attempt(() => loadCheckpoint(project(), keyOf(command, feature)), null),
    saveCheckpoint: (command, checkpoint, feature) =>
      isDone(() => saveCheckpoint(project(), keyOf(command, feature), checkpoint)),
    updatePhase: (command, phase, patch, feature) =>
      isDone(() => updatePhase(project(), keyOf(command, feature), { phase, patch })),
    completeCheckpoint: (command, feature) => isDone(() => completeCheckpoint(project(), keyOf(command, feature))),
    getResumePoint: (command, feature) =>
      reporter.attempt(() => {
        const checkpoint = loadCheckpoint(project(), keyOf(command, feature));
        return checkpoint === null ? NOWHERE : findResumePoint(checkpoint);
      }, NOWHERE),
    getStateDir: () => reporter.attempt(() => stateFolderOf(project().root), null),
    listCheckpoints: () => reporter.attempt(() => listCheckpoints(project()), []),
    compareHead: (checkpoint) => reporter.attempt(() => compareHead(project().root, checkpoint), UNKNOWN_HEAD),
    acceptHead: (command, feature) => isDone(() => acceptHead(project(), keyOf(command, feature))),
    getLastError: reporter.getLastError,
  };
}

/** Refuses the root of the file system. */
function checkedRoot(root: string): string {
  const path = resolve(root);
  if (dirname(path) === path) throw new CheckpointError("no-folder", `${path} is not a project`);
  return path;
}
