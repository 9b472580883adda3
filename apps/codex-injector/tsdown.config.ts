import type { UserConfig } from "tsdown";
import { thirdPartyNotices } from "../../scripts/third-party-notices.ts";

/** The program as one ES module; its libraries are installed beside it. */
const config: UserConfig = {
  entry: { "checkpoint-codex": "src/checkpoint-codex.ts" },
  format: "esm",
  platform: "node",
  target: "node22.15",
  dts: false,
  clean: true,
  fixedExtension: true,
  banner: "#!/usr/bin/env node",
  plugins: [thirdPartyNotices()],
  logLevel: "warn",
};

export default config;
