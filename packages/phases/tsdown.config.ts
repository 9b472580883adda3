import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The table of the commands has an entry of its own, for a program that is not to load more. */
const config: UserConfig = { ...packageBuild, entry: { index: "src/index.ts", commands: "src/commands.ts" } };

export default config;
