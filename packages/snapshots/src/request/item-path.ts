import { type BytePath, encodePath, textOf, toBytePath } from "../paths/byte-path.ts";
import type { ScopeItem } from "./parse-scope.ts";

/** An item of a scope that is no file. */
export type OtherItem = Exclude<ScopeItem, { readonly kind: "path" }>;

/**
 * The path of an entry that is no file: the word that names it in a scope. Slashes are in percent notation, so that no
 * part of it could be taken for a folder.
 */
export function pathOfItem(item: OtherItem): BytePath {
  const word = wordOf(item).replaceAll(/[%/\p{Cc}]/gu, (sign) => encodeURIComponent(sign));
  return toBytePath(word);
}

/** The item that a path of `pathOfItem` names; null for a file. */
export function itemOfPath(path: BytePath): OtherItem | null {
  const [, kind = "", rest = ""] = /^(state|sqlite|postgres):(.*)$/s.exec(textOf(path) ?? "") ?? [];
  const value = rest.replaceAll(/%[0-9A-F]{2}/g, (sign) => decodeURIComponent(sign));
  if (kind === "state") return { kind, key: value };
  if (kind === "sqlite") return { kind, path: value };
  return kind === "postgres" ? { kind, service: value } : null;
}

/** The item as a scope names it: `state:<key>`, `sqlite:<path>` or `postgres:<service>`. */
export function wordOf(item: OtherItem): string {
  if (item.kind === "state") return `state:${item.key}`;
  return item.kind === "sqlite" ? `sqlite:${item.path}` : `postgres:${item.service}`;
}

/** A path in words: of a file as JSON holds it, of anything else as a scope names it. */
export function describePath(path: BytePath, { isOfFiles }: { readonly isOfFiles: boolean }): string {
  const item = isOfFiles ? null : itemOfPath(path);
  return item === null ? encodePath(path) : wordOf(item);
}
