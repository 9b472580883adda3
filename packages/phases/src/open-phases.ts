import { dirname, resolve } from "node:path";
import * as calls from "./calls.ts";
import type { HeadComparison, ListedCheckpoint } from "./calls.ts";
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

/**
 * The phase files of a project. No call throws: a failed one returns its default and logs a line, and `getLastError` returns
 * the reason.
 */
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
  /** Records that a command is done. */
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
      reporter.attempt(() => calls.loadCheckpoint(project(), keyOf(command, feature)), null),
    saveCheckpoint: (command, checkpoint, feature) =>
      isDone(() => calls.saveCheckpoint(project(), keyOf(command, feature), checkpoint)),
    updatePhase: (command, phase, patch, feature) =>
      isDone(() => calls.updatePhase(project(), keyOf(command, feature), { phase, patch })),
    completeCheckpoint: (command, feature) =>
      isDone(() => calls.completeCheckpoint(project(), keyOf(command, feature))),
    getResumePoint: (command, feature) =>
      reporter.attempt(() => {
        const checkpoint = calls.loadCheckpoint(project(), keyOf(command, feature));
        return checkpoint === null ? NOWHERE : findResumePoint(checkpoint);
      }, NOWHERE),
    getStateDir: () => reporter.attempt(() => stateFolderOf(project().root), null),
    listCheckpoints: () => reporter.attempt(() => calls.listCheckpoints(project()), []),
    compareHead: (checkpoint) => reporter.attempt(() => calls.compareHead(project().root, checkpoint), UNKNOWN_HEAD),
    acceptHead: (command, feature) => isDone(() => calls.acceptHead(project(), keyOf(command, feature))),
    getLastError: reporter.getLastError,
  };
}

/** Refuses the root of the file system. */
function checkedRoot(root: string): string {
  const path = resolve(root);
  if (dirname(path) === path) throw new CheckpointError("no-folder", `${path} is not a project`);
  return path;
}

/** The project of the current folder, looked up at every call. */
const current: Phases = openPhases();

/** The phase file of a command, with or without a feature; null if there is none. Warns if HEAD has moved since. */
export const loadCheckpoint: Phases["loadCheckpoint"] = current.loadCheckpoint;

/** Saves a whole checkpoint; false if it was not saved. */
export const saveCheckpoint: Phases["saveCheckpoint"] = current.saveCheckpoint;

/** Changes one phase of a command, and begins a run if there is none; false if it was not changed. */
export const updatePhase: Phases["updatePhase"] = current.updatePhase;

/** Records that a command is done; false if there is nothing to complete. */
export const completeCheckpoint: Phases["completeCheckpoint"] = current.completeCheckpoint;

/** Where a command resumes, with the summary of the nearest completed phase; nulls when it is done. */
export const getResumePoint: Phases["getResumePoint"] = current.getResumePoint;

/** The folder of the phase files; null if there is no project. */
export const getStateDir: Phases["getStateDir"] = current.getStateDir;
