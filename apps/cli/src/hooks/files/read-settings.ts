import { readFileSync } from "node:fs";

/** The text of a settings file; null where there is none. */
export type SettingsText =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly message: string };

/** Reads a settings file to the last byte: what is not UTF-8 could not be written back as it was. */
export function readSettings(file: string): SettingsText {
  try {
    const bytes = readFileSync(file);
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { ok: true, text: null };
    return { ok: false, message: sayFault(error) };
  }
}

/** What went wrong with a file, in a few words. */
export function sayFault(error: unknown): string {
  const code = codeOf(error);
  return FAULTS[code] ?? (error instanceof Error ? error.message : String(error));
}

const FAULTS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "it lies on a read-only file system",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  ENOSPC: "no space is left on the disk",
  ELOOP: "its symbolic links lead in a circle",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
