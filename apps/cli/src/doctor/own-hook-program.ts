import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the hook's program lies beside this one: in the built package, or in the repository's tree. */
const PLACES = [
  "./checkpoint-hook.cjs",
  "../../hook-receiver/dist/checkpoint-hook.cjs",
  "../../../hook-receiver/dist/checkpoint-hook.cjs",
];

/** The hook program of this installation by its real path; null where it was not built. */
export function ownHookProgram(): string | null {
  const path = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  return path === undefined ? null : realpathSync(path);
}
