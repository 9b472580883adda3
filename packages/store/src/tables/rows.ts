/**
 * The row of an entry: a column for each of its fields, with the field's name.
 * Times are milliseconds, lists and records are JSON, and a field that may be absent is null.
 */
export type RowOf<Entry> = { readonly [Field in keyof Entry]-?: Cell<Entry[Field]> };

type Cell<Value> = Value extends Date
  ? number
  : Value extends boolean
    ? 0 | 1
    : Value extends undefined
      ? null
      : Value extends object
        ? string
        : Value;

/** An entry as its row. */
export function toRow<Entry extends object>(entry: Entry): RowOf<Entry> {
  return Object.fromEntries(Object.entries(entry).map(([field, value]) => [field, toCell(value)])) as RowOf<Entry>;
}

function toCell(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
}

/** How the columns are read that do not hold the field's value itself. */
export type Readers<Entry> = {
  readonly [Field in keyof Entry as Same<Cell<Entry[Field]>, Entry[Field]> extends true ? never : Field]-?: (
    cell: Cell<Entry[Field]>,
  ) => Entry[Field];
};

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** A row as the entry that it holds, without the columns that are none of its fields. */
export function fromRow<Entry extends object>(
  row: RowOf<Entry>,
  readers: Readers<Entry>,
  others: readonly string[] = [],
): Entry {
  const cells = Object.entries<unknown>({ ...row }).filter(([column]) => !others.includes(column));
  const read = readers as Readonly<Record<string, ((cell: unknown) => unknown) | undefined>>;
  const fields = cells.map(([field, cell]) => [field, read[field] === undefined ? cell : read[field](cell)]);
  return Object.fromEntries(fields) as Entry;
}

/** The columns of the first table that each statement creates, or that it adds to one; without a number that SQLite assigns. */
export function columnNames(...statements: readonly string[]): readonly string[] {
  const tables = statements.map((statement) => statement.split(") STRICT")[0] ?? "");
  const columns = /(?:^ +|ADD COLUMN )"?(\w+)"? (?:TEXT|REAL|INTEGER(?! PRIMARY))/gm;
  return tables.flatMap((table) => [...table.matchAll(columns)].map(([, name = ""]) => name));
}

/** The values of a row, for a query that inserts it. */
export function columnsOf<Row extends object>(names: readonly string[], row: Row): Row {
  return Object.fromEntries(names.map((name) => [name, row[name as keyof Row]])) as Row;
}

/** The list of strings in a JSON column; empty if it is malformed. */
export function parseStrings(text: string | null): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The record of strings in a JSON column; null if there is none. */
export function parseRecord(text: string | null): Record<string, string> | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The value of a JSON column; null if it is empty or malformed. */
export function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a JSON value has fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** The time in a column that always has one. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}

/** The time in a column; null if there is none. */
export function dateOrNull(milliseconds: unknown): Date | null {
  return typeof milliseconds === "number" ? new Date(milliseconds) : null;
}
