import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

const config: UserConfig = { ...packageBuild, entry: { index: "src/index.ts", reading: "src/reading.ts" } };

export default config;
