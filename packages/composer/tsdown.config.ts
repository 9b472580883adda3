import type { UserConfig } from "tsdown";
import { packageBuild } from "../../scripts/package-build.ts";

/** The texts have an entry of their own: who only wants to recognise them loads no more. */
const config: UserConfig = { ...packageBuild, entry: { index: "src/index.ts", texts: "src/message/texts.ts" } };

export default config;
