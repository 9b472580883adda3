import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** Importing a library does nothing by itself, so the types need not mention those that only the inside uses. */
const config: UserConfig = { ...packageBuild, treeshake: { moduleSideEffects: false } };

export default config;
