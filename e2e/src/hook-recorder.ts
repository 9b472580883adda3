import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The hook that recordings register: keeps what the CLI sent, byte for byte, and returns the event's next prepared answer.
 * Called as `node hook-recorder.ts <folder> <event>`; answers are files `answers/<event>-<number>`.
 */
function recordHook(folder: string, event: string): void {
  const payload = readFileSync(0);
  const number = keep(folder, event, payload);
  const answer = join(folder, "answers", `${event}-${number}`);
  if (existsSync(answer)) process.stdout.write(readFileSync(answer));
}

/** Writes the payload under the next free number and returns its number among its events; parallel hooks get different numbers. */
function keep(folder: string, event: string, payload: Buffer): number {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const mine = names.filter((name) => name.endsWith(`-${event}.json`)).length + 1;
  for (let position = names.length + 1; ; position++) {
    const name = `${String(position).padStart(4, "0")}-${event}.json`;
    try {
      writeFileSync(join(folder, name), payload, { flag: "wx" });
      return mine;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

const [folder, event] = process.argv.slice(2);
if (folder && event) recordHook(folder, event);
