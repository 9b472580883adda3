/** The code of an error of the system, as `ENOENT`; null for other errors. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
