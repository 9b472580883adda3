import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file below a folder, by its path there, as Latin-1: one character a byte. */
export function bytesOf(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length + 1),
      readFileSync(join(parentPath, name), "latin1"),
    ]),
  );
}
