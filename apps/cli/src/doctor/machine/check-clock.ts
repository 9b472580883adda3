import { type Finding, ok, warn } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Clocks of two machines with one home may differ a little. */
const TOLERANCE_MS = 60_000;

/** Whether the clock can be what the records were written by. */
export function checkClock({ env, store, now }: Machine): readonly Finding[] {
  const fixed = env["CHECKPOINT_NOW"];
  if (fixed)
    return [
      warn(`CHECKPOINT_NOW is set: every stop is judged as of ${fixed}`, "Unset it; it is for tests and replays."),
    ];
  const { contents } = store;
  if (contents === null || "fault" in contents) return [];
  const { newestAt } = contents;
  if (newestAt !== null && newestAt.getTime() > now().getTime() + TOLERANCE_MS)
    return [
      warn(
        `the newest record is from ${newestAt.toISOString()}, in the future: the clock says ${now().toISOString()}`,
        "Set the clock right; stops of a session with such a record pass until then.",
      ),
    ];
  return [ok("no record is from the future")];
}
