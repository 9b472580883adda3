import { SafetyError } from "../../trouble.ts";

/** What SQLite's codes mean for a checkpoint; the first row that matches counts. */
const TROUBLES: readonly {
  readonly code: RegExp;
  readonly trouble: ConstructorParameters<typeof SafetyError>[0];
  readonly what: string;
  readonly advice: string | null;
}[] = [
  {
    code: /^SQLITE_NOTADB/,
    trouble: "bad-input",
    what: "is no SQLite database",
    advice: "Keep it as a file, without `sqlite:`.",
  },
  {
    code: /^SQLITE_(BUSY|LOCKED)/,
    trouble: "locked",
    what: "is held by another connection",
    advice: "Close it, or wait until it has finished.",
  },
  { code: /^SQLITE_FULL/, trouble: "no-space", what: "does not fit on the disk", advice: "Make room and try again." },
  { code: /^SQLITE_READONLY/, trouble: "not-writable", what: "cannot be written to", advice: null },
  { code: /^SQLITE_CORRUPT/, trouble: "database", what: "is damaged", advice: "Repair it first." },
  { code: /^SQLITE_/, trouble: "database", what: "cannot be used", advice: null },
];

/** The trouble behind an error of SQLite; any other error stays what it is. */
export function sqliteTrouble(path: string, error: unknown): unknown {
  if (error instanceof SafetyError || !(error instanceof Error) || !("code" in error)) return error;
  const row = TROUBLES.find(({ code }) => code.test(String(error.code)));
  if (row === undefined) return error;
  return new SafetyError(row.trouble, `\`${path}\` ${row.what}: ${error.message}.`, row.advice);
}
