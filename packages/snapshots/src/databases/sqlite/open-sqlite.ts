import type { Database } from "better-sqlite3";
import { SafetyError } from "../../trouble.ts";

/** Opens a database that exists. */
export async function openSqlite(
  path: string,
  { isReadonly, waitMs }: { readonly isReadonly: boolean; readonly waitMs: number },
): Promise<Database> {
  const BetterSqlite3 = await loadLibrary();
  return new BetterSqlite3(path, { readonly: isReadonly, fileMustExist: true, timeout: waitMs });
}

/** The library is 27 MB, for eight platforms, so the program is installed without it. */
async function loadLibrary() {
  try {
    return (await import("better-sqlite3")).default;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND"))) throw error;
    throw new SafetyError(
      "database",
      "A snapshot of a SQLite database needs the package better-sqlite3, which is not installed.",
      "Install it beside @agent-checkpoint/cli: npm install --global better-sqlite3@13",
    );
  }
}
