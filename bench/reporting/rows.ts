import type { Candidate, Kind } from "../candidate.ts";
import { mean, median, pairedRatio, type Summary, summarize } from "./statistics.ts";

/** What was measured of each candidate, by its id, one value a round. */
export type Rounds = Readonly<Record<string, readonly number[]>>;

/** What was measured in a run. */
export interface Measured {
  /** Milliseconds from start to end. */
  readonly times: Rounds;
  /** Milliseconds of all processors; empty if the system does not tell. */
  readonly cpu: Rounds;
  /** Megabytes; empty if the system does not tell. */
  readonly peaks: Rounds;
}

/** The figures of one candidate. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly kind: Kind;
  readonly ms: Summary;
  /** The shortest of all calls. */
  readonly bestMs: number;
  /** Its median by the floor's. */
  readonly ratio: number;
  /** The median over the rounds of its time by the floor's in the same round. */
  readonly pairedRatio: number;
  /** The mean processor time, which other programs at work hardly change. */
  readonly cpuMs: number | null;
  readonly cpuRatio: number | null;
  readonly peakMb: number | null;
  readonly peakRatio: number | null;
}

/** The figures of each candidate beside the floor's. */
export function rowsOf(candidates: readonly Candidate[], { times, cpu, peaks }: Measured): readonly Row[] {
  const floor = times["floor"] ?? [];
  const floorCpu = mean(cpu["floor"] ?? []);
  const floorPeak = median(peaks["floor"] ?? []);
  return candidates.map(({ id, label, kind }) => {
    const all = times[id] ?? [];
    const cpuMs = cpu[id] === undefined || cpu[id].length === 0 ? null : mean(cpu[id]);
    const peakMb = peaks[id] === undefined ? null : median(peaks[id]);
    return {
      id,
      label,
      kind,
      ms: summarize(all),
      bestMs: Math.min(...all),
      ratio: median(all) / median(floor),
      pairedRatio: pairedRatio(all, floor),
      cpuMs,
      cpuRatio: cpuMs === null ? null : cpuMs / floorCpu,
      peakMb,
      peakRatio: peakMb === null ? null : peakMb / floorPeak,
    };
  });
}
