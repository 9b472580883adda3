import { openPhases, type Phases } from "./open-phases.ts";

/** The project of the current folder, found anew at every call. */
const current: Phases = openPhases();

/** The checkpoint of a command, for a feature or without one; null where there is none. Warns where HEAD has moved since. */
export const loadCheckpoint: Phases["loadCheckpoint"] = current.loadCheckpoint;

/** Saves a whole checkpoint; false if it was not saved. */
export const saveCheckpoint: Phases["saveCheckpoint"] = current.saveCheckpoint;

/** Changes one phase of a command, and begins the run where there is none; false if it was not changed. */
export const updatePhase: Phases["updatePhase"] = current.updatePhase;

/** Notes that a command is done; false where there is nothing to complete. */
export const completeCheckpoint: Phases["completeCheckpoint"] = current.completeCheckpoint;

/** Where a command goes on, with the summary of the nearest completed phase; nulls when it is done. */
export const getResumePoint: Phases["getResumePoint"] = current.getResumePoint;

/** The folder of the checkpoints; null where there is no project. */
export const getStateDir: Phases["getStateDir"] = current.getStateDir;
