import { openPhases, type Phases } from "./open-phases.ts";

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
