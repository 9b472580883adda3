import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The gate has an entry of its own: a hook that asks it loads nothing of what makes or restores a checkpoint. */
const config: UserConfig = {
  ...packageBuild,
  entry: { index: "src/index.ts", gate: "src/gate/judge-call.ts" },
};

export default config;
