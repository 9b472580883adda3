import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The files have an entry of their own: who only notes a stop or a log line loads no more. */
const entry = { index: "src/index.ts", files: "src/files.ts" };

/** Importing a library does nothing by itself, so the types need not mention those that only the inside uses. */
const config: UserConfig = { ...packageBuild, entry, treeshake: { moduleSideEffects: false } };

export default config;
