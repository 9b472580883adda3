import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The process of `checkpoint-codex watch`, by the file it leaves in the store's folder; null where none runs. */
export function watcherOf(home: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, "codex-injector.lock"), "utf8")) as { readonly pid?: unknown };
    if (typeof pid !== "number") return null;
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}
