/** Ratios to the floor, by case. */
export interface Ratios {
  readonly time: Readonly<Record<string, number>>;
  readonly memory: Readonly<Record<string, number>>;
}

/** A ratio beside the recorded one. */
export interface Comparison {
  readonly id: string;
  readonly what: keyof Ratios;
  readonly recorded: number;
  readonly measured: number;
  /** 0.1 for a tenth more than recorded. */
  readonly change: number;
  readonly isLost: boolean;
}

/** How much more than recorded a ratio may be. */
const MAX_LOSS = 0.15;

/** What was measured beside what is recorded; a case that is only in one of them is not compared. */
export function compare(recorded: Ratios, measured: Ratios): readonly Comparison[] {
  return (["time", "memory"] as const).flatMap((what) =>
    Object.entries(recorded[what]).flatMap(([id, before]) => {
      const now = measured[what][id];
      if (now === undefined) return [];
      const change = now / before - 1;
      return [{ id, what, recorded: before, measured: now, change, isLost: change > MAX_LOSS }];
    }),
  );
}
