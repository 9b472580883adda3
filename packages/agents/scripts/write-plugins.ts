// Writes the hooks and the version of the Claude Code plugin and the Gemini extension.
import { writeFileSync } from "node:fs";
import { pluginFiles } from "../src/testing/plugin-files.ts";

for (const { path, text } of pluginFiles()) writeFileSync(path, text);
