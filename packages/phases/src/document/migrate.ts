import { MIGRATIONS, type RawDocument } from "./migrations.ts";

/** A document of today's version, or why there is none. */
export type Migrated =
  | { readonly status: "ok"; readonly document: RawDocument }
  | { readonly status: "newer"; readonly found: number }
  | { readonly status: "no-version"; readonly found: unknown };

/** Brings a document up to date; a newer one is not touched. */
export function migrate(document: RawDocument, steps: typeof MIGRATIONS = MIGRATIONS): Migrated {
  const { version = 0 } = document;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0)
    return { status: "no-version", found: version };
  if (version > steps.length) return { status: "newer", found: version };
  return { status: "ok", document: steps.slice(version).reduce((older, step) => step(older), document) };
}
