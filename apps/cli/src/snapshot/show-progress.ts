import type { Progress } from "@agent-checkpoint/snapshots";
import type { Surroundings } from "../surroundings.ts";

/** A line on stderr about a step that takes longer than a second, drawn over itself; where nobody looks, nothing is written. */
export function showProgress(
  { err, isProgressShown }: Pick<Surroundings, "err" | "isProgressShown">,
  clock: () => number = () => performance.now(),
): {
  readonly progress: (progress: Progress) => void;
  readonly clear: () => void;
} {
  const start = clock();
  let drawnAt = -Infinity;
  return {
    progress: ({ step, done, total }) => {
      const now = clock();
      if (!isProgressShown || now - start < PATIENCE_MS || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      err(`${ERASE}${step}  ${done.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`);
    },
    clear: () => {
      if (drawnAt !== -Infinity) err(ERASE);
    },
  };
}

const PATIENCE_MS = 1000;
const REDRAW_MS = 100;
const ERASE = "\r\u001B[2K";
