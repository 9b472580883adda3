import { dirname, join } from "node:path";

/**
 * SQLite's binary from the package beside this program, loaded; undefined leaves it to the library to look for it.
 * The library tells musl from glibc by a report that takes longer than the whole of this; trying is faster.
 */
export function nativeBinding(): object | undefined {
  // Hardly ever needed, so not loaded with this file.
  const require = process.getBuiltinModule("node:module").createRequire(__filename);
  for (const libc of process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform]) {
    try {
      const folder = dirname(require.resolve("better-sqlite3/package.json"));
      return require(join(folder, "prebuilds", `${libc}-${process.arch}.node`)) as object;
    } catch {
      // The other C library, or a platform without a prebuilt binary.
    }
  }
  return undefined;
}
