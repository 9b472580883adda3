import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { encodePath, isInside, toBytePath } from "../paths/byte-path.ts";
import { SafetyError } from "../trouble.ts";

/** One thing that a checkpoint is asked to cover. */
export type ScopeItem =
  /** A file, a folder or a glob; relative to the root, as `encodePath` writes it. */
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "state"; readonly key: string }
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly service: string };

/** The base of relative paths in a scope, and the folder they must stay in. */
export interface ScopePlace {
  readonly root: string;
  readonly cwd: string;
}

/** The items of a scope; the first invalid word is refused. */
export function parseScope(scope: string | readonly string[], place: ScopePlace): readonly ScopeItem[] {
  const words = typeof scope === "string" ? [scope] : scope;
  if (words.every((word) => word.trim() === "")) {
    throw new SafetyError(
      "bad-input",
      "The scope is empty.",
      "Name the files, folders or globs that are about to change.",
    );
  }
  return words.map((word) => parseWord(word, place));
}

function parseWord(word: string, place: ScopePlace): ScopeItem {
  if (word.trim() === "") throw new SafetyError("bad-input", "A word of the scope is empty.");
  if (word.includes("\0")) throw new SafetyError("bad-input", "A word of the scope holds a NUL character.");
  for (const { prefix, read } of PREFIXES) {
    if (word.startsWith(prefix)) return read(word.slice(prefix.length), place);
  }
  return { kind: "path", path: parsePath(word, place) };
}

/** The words that are no files; a file of such a name is written with `./` before it. */
const PREFIXES: readonly { readonly prefix: string; readonly read: (rest: string, place: ScopePlace) => ScopeItem }[] =
  [
    { prefix: "state:", read: (key) => ({ kind: "state", key: required(key, "state:<key>") }) },
    {
      prefix: "sqlite:",
      read: (path, { cwd }) => ({ kind: "sqlite", path: resolve(cwd, sqliteFile(path)) }),
    },
    { prefix: "postgres:", read: (service) => ({ kind: "postgres", service: serviceName(service) }) },
  ];

function required(text: string, form: string): string {
  if (text.trim() === "")
    throw new SafetyError("bad-input", `The scope has a bare prefix where \`${form}\` was expected.`);
  return text;
}

function sqliteFile(path: string): string {
  if (!/^(?::memory:|file:)/.test(required(path, "sqlite:<path>"))) return path;
  throw new SafetyError("bad-input", `\`sqlite:${path}\` does not name a file.`, "Name the file of the database.");
}

/** The name of an entry of `pg_service.conf`; a connection string could carry a password. */
function serviceName(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text;
  throw new SafetyError(
    "bad-input",
    "`postgres:` takes the name of a service, not a connection string.",
    "Name the connection in pg_service.conf and write `postgres:<service>`.",
  );
}

function parsePath(word: string, { root, cwd }: ScopePlace): string {
  if (word.split("/").includes("..")) {
    throw new SafetyError(
      "outside-root",
      `The scope \`${word}\` climbs with \`..\`.`,
      "Name it from the root, or absolutely.",
    );
  }
  const absolute = isAbsolute(word) ? throughLinks(join(word), root) : join(cwd, word);
  if (!isInside(absolute, root)) {
    throw new SafetyError(
      "outside-root",
      `The scope \`${word}\` lies outside \`${root}\`.`,
      "Start from the folder it lies in, or give --root.",
    );
  }
  const inside = relative(root, absolute).replace(/\/+$/, "");
  const parts = inside.split("/");
  const own = parts.find((part) => part === ".git") ?? OWN_FOLDERS.find((folder) => parts[0] === folder);
  if (own !== undefined)
    throw new SafetyError("bad-input", `The scope \`${word}\` lies in \`${own}\`, which is never captured.`);
  return encodePath(toBytePath(inside));
}

/** An absolute path whose folders are links, by the folder that they lead to; what is in the root is left as it is. */
function throughLinks(path: string, root: string): string {
  if (isInside(path, root)) return path;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(folder)) continue;
    const real = realpathSync(folder);
    // Only the way to the root is followed: a link inside it is something to capture.
    if (isInside(real, root) || isInside(root, real)) return join(real, relative(folder, path));
  }
  return path;
}

/** The folders that the program keeps in a workspace. */
export const OWN_FOLDERS: readonly string[] = [".checkpoints", ".audit"];
