import { readFileSync } from "node:fs";
import type { UserConfig } from "tsdown";
import { thirdPartyNotices } from "./third-party-notices.ts";

/** The condition in `exports` under which tests, types and programs find the sources of our packages instead of their builds. */
export const SOURCE_CONDITION = "@agent-checkpoint/source";

/** How every package is built: an ES module with its types for each of its exports. */
export const packageBuild: UserConfig = {
  entry: sourceEntries(),
  format: "esm",
  platform: "node",
  target: "node22.15",
  dts: true,
  clean: true,
  fixedExtension: true,
  plugins: [thirdPartyNotices()],
  logLevel: "warn",
};

/** The entries of the package that is being built, as its `exports` list them. */
function sourceEntries(): Record<string, string> {
  const { exports = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
    exports?: Record<string, string | Record<string, string>>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      const source = typeof target === "string" ? undefined : target[SOURCE_CONDITION];
      return source === undefined ? [] : [[path === "." ? "index" : path.slice(2), source]];
    }),
  );
}
