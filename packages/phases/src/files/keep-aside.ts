import { renameSync } from "node:fs";
import { basename } from "node:path";
import { uniqueToken } from "./unique-token.ts";

/** Gives a file that holds no checkpoint another name, and says which. */
export function keepAside(path: string, now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const aside = `${path}.corrupt-${time}-${uniqueToken().slice(0, 6)}`;
  renameSync(path, aside);
  return basename(aside);
}
