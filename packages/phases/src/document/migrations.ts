/** A document as it was read, before its shape is known. */
export type RawDocument = Readonly<Record<string, unknown>>;

/** The steps from one version of the document to the next, in order; the first takes one without a version. */
export const MIGRATIONS: readonly ((document: RawDocument) => RawDocument)[] = [
  (document) => ({ ...document, version: 1 }),
];
