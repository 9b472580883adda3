import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The light parts have entries of their own: who wants no more loads no more. */
const config: UserConfig = {
  ...packageBuild,
  entry: {
    index: "src/index.ts",
    texts: "src/message/texts.ts",
    baseline: "src/session/take-baseline.ts",
    git: "src/git/list-changed-files.ts",
    rules: "src/rules.ts",
  },
};

export default config;
