import type { Database } from "better-sqlite3";

/** Opens a database that exists. */
export async function openSqlite(
  path: string,
  { isReadonly, waitMs }: { readonly isReadonly: boolean; readonly waitMs: number },
): Promise<Database> {
  const { default: BetterSqlite3 } = await import("better-sqlite3");
  return new BetterSqlite3(path, { readonly: isReadonly, fileMustExist: true, timeout: waitMs });
}
