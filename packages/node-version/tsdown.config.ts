import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** For the very Node versions that the other packages refuse. */
const config: UserConfig = { ...packageBuild, target: "node14" };

export default config;
