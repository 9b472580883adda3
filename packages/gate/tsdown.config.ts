import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The light parts have entries of their own: a hook that needs no more loads no more. */
const config: UserConfig = {
  ...packageBuild,
  entry: {
    index: "src/index.ts",
    "note-prompt": "src/note-prompt.ts",
    "pass-young": "src/pass-young.ts",
    recording: "src/recording.ts",
    "stop-row": "src/stop-row.ts",
  },
};

export default config;
