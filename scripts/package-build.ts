import type { UserConfig } from "tsdown";

/** How every package is built: one ES module with its types. */
export const packageBuild: UserConfig = {
  entry: { index: "src/index.ts" },
  format: "esm",
  platform: "node",
  target: "node22.15",
  dts: true,
  clean: true,
  fixedExtension: true,
  logLevel: "warn",
};
