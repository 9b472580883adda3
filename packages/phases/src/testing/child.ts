import fs, { rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { answerJobs, fillDisk } from "../../../../fixtures/src/answer-jobs.ts";
import { COMMAND_NAMES, createCheckpoint, openPhases, type Phases, type PhaseStatus, usualPhases } from "../index.ts";
import { withDocumentLock } from "../storage/stored-document.ts";

type Job = (root: string, ...args: string[]) => unknown;

const lines: string[] = [];
const phasesOf = (root: string): Phases =>
  openPhases({ root, logError: (line) => lines.push(line), lockTimeoutMs: 60_000 });

const JOBS: Readonly<Record<string, Job>> = {
  /** Updates this many phases with different names, and counts those that were saved. */
  update: (root, name = "", count = "1") => {
    const phases = phasesOf(root);
    const numbers = Array.from({ length: Number(count) }, (_, number) => number);
    return numbers.filter((number) => phases.updatePhase("implement", `${name}-${number}`, { status: "complete" }))
      .length;
  },

  /** Saves large checkpoints until it is killed. */
  "save-forever": (root) => {
    const phases = phasesOf(root);
    for (;;) phases.saveCheckpoint("implement", { phases: { a: {} }, filler: "x".repeat(400_000) });
  },

  /** Updates a phase and is killed before it touches a file for the nth time. */
  "update-and-die": (root, nth = "1") => {
    const phases = phasesOf(root);
    dieAtCall(Number(nth));
    phases.updatePhase("implement", "b", { status: "in_progress" });
    return "survived";
  },

  /** Takes a lock and holds it until it is killed. */
  hold: (path) =>
    withDocumentLock(path, 1000, () => {
      process.stdout.write(`"held"\n`);
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    }),

  /** Tries to update as a user who may not write. */
  "update-forbidden": (root) => {
    const phases = phasesOf(root);
    if (process.getuid?.() === 0) process.seteuid?.(65_534);
    return { isKept: phases.updatePhase("implement", "b", {}), lines, error: phases.getLastError()?.code };
  },

  /** Fills the disk the state is on, tries to save, makes room and tries again. */
  "update-when-full": (root) => {
    const phases = phasesOf(root);
    const before = phases.updatePhase("implement", "a", { status: "in_progress" });
    const filler = join(root, ".claude/state/filler");
    fillDisk(filler);
    const whenFull = {
      update: phases.updatePhase("implement", "b", {}),
      save: phases.saveCheckpoint("implement", { phases: {} }),
      fresh: phases.updatePhase("ship", "a", {}),
      error: phases.getLastError()?.code,
      lines: lines.length,
      stored: Object.keys(phases.loadCheckpoint("implement")?.phases ?? {}),
    };
    rmSync(filler);
    return {
      before,
      whenFull,
      later: phases.updatePhase("implement", "b", {}),
      names: fs.readdirSync(join(root, ".claude/state")),
    };
  },

  /** Goes through a command's phases up to one, and is killed in it, after it failed, or before the next. */
  interrupt: (root, command = "", phase = "", how = "") => {
    const phases = phasesOf(root);
    const name = COMMAND_NAMES.find((each) => each === command) ?? "start";
    const feature = `${phase} ${how}`;
    phases.saveCheckpoint(name, createCheckpoint(name), feature);
    const usual = usualPhases(name);
    for (const done of usual.slice(0, usual.indexOf(phase))) finish(phases, name, done, feature);
    const last: Readonly<Record<string, PhaseStatus>> = {
      working: "in_progress",
      failed: "failed",
      waiting: "pending",
    };
    phases.updatePhase(name, phase, { status: last[how] ?? "pending" }, feature);
    process.kill(process.pid, "SIGKILL");
  },

  /** Prints where every phase file resumes, finishes it from there, and prints where it resumes then. */
  resume: (root) => {
    const phases = phasesOf(root);
    return phases.listCheckpoints().map(({ command, feature }) => {
      const point = phases.getResumePoint(command, feature);
      const rest = usualPhases(command).slice(usualPhases(command).indexOf(point.phase ?? ""));
      for (const phase of rest) finish(phases, command, phase, feature);
      phases.completeCheckpoint(command, feature);
      const end = phases.getResumePoint(command, feature);
      return {
        command,
        feature,
        ...point,
        end: end.phase,
        completed: phases.loadCheckpoint(command, feature)?.state.completed_phases,
      };
    });
  },
};

function finish(phases: Phases, command: (typeof COMMAND_NAMES)[number], phase: string, feature: string | null): void {
  phases.updatePhase(command, phase, { status: "in_progress" }, feature);
  phases.updatePhase(command, phase, { status: "complete", context_summary: `${phase} is done.` }, feature);
}

function dieAtCall(nth: number): void {
  let calls = 0;
  for (const name of [
    "mkdirSync",
    "openSync",
    "writeFileSync",
    "fsyncSync",
    "renameSync",
    "rmSync",
    "rmdirSync",
  ] as const) {
    const real: (...args: never[]) => unknown = fs[name];
    Reflect.set(fs, name, (...args: never[]) => {
      calls += 1;
      if (calls === nth) process.kill(process.pid, "SIGKILL");
      return real(...args);
    });
  }
  syncBuiltinESMExports();
}

answerJobs(JOBS);
