import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a condition; the error names it if it takes too long. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => Promise<string>),
  timeLimitMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeLimitMs;
  while (!(await isSo())) {
    if (Date.now() > deadline)
      throw new Error(`Out of time waiting: ${typeof what === "string" ? what : await what()}`);
    await sleep(50);
  }
}
