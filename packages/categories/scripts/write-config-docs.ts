// Writes docs/config.md from the schema of the config file and the presets.
import { writeFileSync } from "node:fs";
import { configDocs } from "./config-docs.ts";

writeFileSync(process.argv[2] ?? new URL("../../../docs/config.md", import.meta.url), configDocs());
