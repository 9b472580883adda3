import type { UserConfig } from "tsdown";

/** The program as ES modules with our own packages inside; the libraries are installed beside it. */
const config: UserConfig = {
  entry: { checkpoint: "src/checkpoint.ts" },
  format: "esm",
  platform: "node",
  target: "node22.12",
  deps: { alwaysBundle: [/^@agent-checkpoint\//] },
  dts: false,
  clean: true,
  fixedExtension: true,
  banner: "#!/usr/bin/env node",
  logLevel: "warn",
};

export default config;
