import type { Measured } from "./rows.ts";
import { median, pairedRatio } from "./statistics.ts";

/** A goal with what was measured for it. */
export interface GoalResult {
  readonly goal: string;
  /** At most this. */
  readonly most: number;
  /** Null if the run did not measure it. */
  readonly measured: number | null;
  readonly isMet: boolean | null;
}

interface Goal {
  readonly goal: string;
  readonly most: number;
  readonly measure: (run: Run) => number | null;
}

/** One build of the hook in a run. */
interface Run {
  readonly time: (id: string) => readonly number[] | null;
  readonly peak: (id: string) => readonly number[] | null;
}

/** What the goals are held against. */
export interface GoalInput extends Measured {
  /** Whether the build is an executable that needs no Node, which has goals of its own; false by default. */
  readonly isExecutable?: boolean | undefined;
  /** The ids of the hook's cases. */
  readonly cases: readonly string[];
  /** The id of a case of the hook in this run, if there are several builds. */
  readonly idOf: (id: string) => string;
  /** Alternatives that read a transcript, each with the case of the hook that reads the same. */
  readonly rivals: readonly { readonly id: string; readonly label: string; readonly against: string }[];
}

const byFloorAtMost = (most: number, id: string, what: string): Goal => ({
  goal: `${what}, by the floor`,
  most,
  measure: (run) => ratioOf(run.time(id), run.time("floor")),
});

const lessGitAtMost = (most: number, id: string, what: string): Goal => ({
  goal: `${what}, less git's own time, by the floor`,
  most,
  measure: (run) => lessGit(run, id),
});

/** The most that each kind of event may take, by the floor. */
interface Limits {
  readonly pass: number;
  readonly prompt: number;
  readonly block: number;
  readonly memory: number;
}

const OF_NODE: Limits = { pass: 1.3, prompt: 1.5, block: 2.2, memory: 1.6 };
const OF_EXECUTABLE: Limits = { pass: 0.5, prompt: 0.6, block: 1.2, memory: 1 };

const goalsFor = ({ pass, prompt, block }: Limits): readonly Goal[] => [
  byFloorAtMost(pass, "flag", "stop passed by its flag"),
  byFloorAtMost(pass, "timer", "stop passed by the timer"),
  byFloorAtMost(prompt, "prompt-first", "first prompt of a session"),
  byFloorAtMost(prompt, "prompt-later", "later prompt of a session"),
  lessGitAtMost(block, "block-50", "blocking stop, transcript of 50 MB"),
  byFloorAtMost(pass, "timer-config", "with a config: stop passed by the timer"),
  byFloorAtMost(prompt, "prompt-config", "with a config: first prompt of a session"),
  lessGitAtMost(block, "block-config", "with a config: blocking stop"),
  { goal: "blocking stop, slowest by fastest transcript from 0.1 to 500 MB", most: 1.1, measure: spread },
];

/** Each goal with what was measured. */
export function goalsOf(input: GoalInput): readonly GoalResult[] {
  const { times, peaks, cases, idOf, rivals, isExecutable = false } = input;
  const limits = isExecutable ? OF_EXECUTABLE : OF_NODE;
  const run: Run = {
    time: (id) => times[idOf(id)] ?? times[id] ?? null,
    peak: (id) => peaks[idOf(id)] ?? peaks[id] ?? null,
  };
  const goals: readonly Goal[] = [
    ...goalsFor(limits),
    {
      goal: "peak memory of the case that takes most, by the floor's",
      most: limits.memory,
      measure: () => worstPeak(run, cases),
    },
    ...rivals.map(({ id, label, against }) => ({
      goal: `blocking stop by ${label}`,
      most: 1,
      measure: () => ratioOf(run.time(against), run.time(id)),
    })),
  ];
  return goals.map(({ goal, most, measure }) => {
    const measured = measure(run);
    return { goal, most, measured, isMet: measured === null ? null : measured <= most };
  });
}

/** What a stop takes beyond the git commands that it starts in a repository of 100 files. */
function lessGit(run: Run, id: string): number | null {
  const [stop, git, floor] = [run.time(id), run.time("git-own-100"), run.time("floor")];
  if (stop === null || git === null || floor === null) return null;
  return pairedRatio(
    stop.map((ms, round) => ms - (git[round] ?? Number.NaN)),
    floor,
  );
}

function ratioOf(values: readonly number[] | null, base: readonly number[] | null): number | null {
  return values === null || base === null ? null : pairedRatio(values, base);
}

function spread(run: Run): number | null {
  const base = run.time("block-0.1");
  const ratios = ["block-0.1", "block-1", "block-10", "block-50", "block-500"].map((id) => ratioOf(run.time(id), base));
  const known = ratios.filter((ratio) => ratio !== null);
  return known.length < ratios.length ? null : Math.max(...known) / Math.min(...known);
}

function worstPeak(run: Run, cases: readonly string[]): number | null {
  const floor = run.peak("floor");
  const peaks = cases.map((id) => run.peak(id)).filter((values) => values !== null);
  if (floor === null || peaks.length === 0) return null;
  return Math.max(...peaks.map(median)) / median(floor);
}
