// Writes what the globs of the presets come to, so that no stop has to find it out.
import { writeFileSync } from "node:fs";
import { presetGlobs } from "./preset-globs.ts";

const rows = presetGlobs().map((row) => `  ${JSON.stringify(row)},`);
const text = `// Written by scripts/write-preset-globs.ts from the presets.
import type { KnownGlob } from "../known-glob.ts";

/** What every glob of a preset comes to. */
export const PRESET_GLOBS: ReadonlyMap<string, KnownGlob> = new Map([
${rows.join("\n")}
]);
`;
writeFileSync(process.argv[2] ?? new URL("../src/presets/preset-globs.ts", import.meta.url), text);
