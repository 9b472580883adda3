import { type BytePath, encodePath } from "../paths/byte-path.ts";

/** The first paths by name, and how many more there are. */
export function namePaths(paths: readonly BytePath[]): string {
  const shown = paths.slice(0, 5).map((path) => `\`${encodePath(path)}\``);
  return paths.length > 5 ? `${shown.join(", ")} and ${paths.length - 5} more` : shown.join(", ");
}
