import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The check of the Node version is built for the very versions that everything else refuses. */
const config: UserConfig[] = [
  { ...packageBuild, entry: { index: "src/index.ts" } },
  { ...packageBuild, entry: { "node-version": "src/node-version.ts" }, target: "node14", clean: false },
];

export default config;
