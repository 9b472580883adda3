import { readFileSync } from "node:fs";

/** The text of a config file, or why there is none. */
export type ConfigText =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "unreadable"; readonly code: string };

/** Reads a config file. */
export function readConfigText(path: string): ConfigText {
  try {
    return { status: "read", text: readFileSync(path, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? { status: "missing" } : { status: "unreadable", code };
  }
}
