import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The defaults have an entry of their own: who has no config to read loads no more. */
const config: UserConfig = { ...packageBuild, entry: { index: "src/index.ts", defaults: "src/defaults.ts" } };

export default config;
