import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** What a hook asks at every stop has entries of its own: where nothing is saved, no more is loaded. */
const config: UserConfig = {
  ...packageBuild,
  entry: { index: "src/index.ts", threshold: "src/threshold.ts", "is-autonomous": "src/mode/is-autonomous.ts" },
};

export default config;
