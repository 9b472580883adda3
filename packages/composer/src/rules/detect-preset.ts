import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The preset of a repository without a config: `teleclaude` where the root has a folder of that name with Python in it. */
export function detectPreset(root: string): "teleclaude" | "generic" {
  return hasPython(join(root, "teleclaude"), 1) ? "teleclaude" : "generic";
}

function hasPython(folder: string, depth: number): boolean {
  const entries = entriesOf(folder);
  if (entries.some((entry) => entry.isFile() && entry.name.endsWith(".py"))) return true;
  return depth > 0 && entries.some((entry) => entry.isDirectory() && hasPython(join(folder, entry.name), depth - 1));
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    return [];
  }
}

/** The entries of a folder; a link to one may lead anywhere. */
function readEntries(folder: string) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true });
}
