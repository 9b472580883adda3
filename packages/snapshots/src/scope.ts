import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import micromatch from "micromatch";
import { redactLine } from "@agent-checkpoint/redaction";
import { CHECKPOINT_TYPES, type CheckpointType } from "./manifest.ts";
import {
  type BytePath,
  decodePath,
  encodePath,
  foldersAbove,
  isInside,
  isWithin,
  textOf,
  toBytePath,
} from "./paths.ts";
import { createLooker } from "./read-files.ts";
import { refuseOtherTypes, SafetyError } from "./trouble.ts";

/** A checkpoint as it is asked for, in the words of the contract. */
export interface CheckpointRequest {
  readonly scope: string | readonly string[];
  readonly reason?: string | undefined;
  readonly checkpoint_type?: string | undefined;
  readonly expiry?: string | null | undefined;
}

/** A request that has been understood. */
export interface ParsedRequest {
  readonly scope: readonly ScopeItem[];
  readonly reason: string;
  readonly type: CheckpointType;
  readonly expiresAt: Date | null;
}

/** One thing that a checkpoint is asked to cover. */
export type ScopeItem =
  /** A file, a folder or a glob; relative to the root, as `encodePath` writes it. */
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "state"; readonly key: string }
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly service: string };

/** The base of relative paths in a scope, the folder they must stay in, and whether git knows it. */
export interface ScopePlace {
  readonly root: string;
  readonly cwd: string;
  readonly tree: object | null;
}

/** Understands a request, or refuses it before anything is written. */
export function parseRequest(request: CheckpointRequest, place: ScopePlace, now: Date): ParsedRequest {
  const optional = { reason: "string?", checkpoint_type: "string?", expiry: "string?" } as const;
  refuseOtherTypes("request", request, { scope: "strings", ...optional });
  const scope = parseScope(request.scope, place);
  return {
    scope,
    reason: parseReason(request.reason ?? ""),
    type: chooseType(scope, request.checkpoint_type ?? null, place),
    expiresAt: parseExpiry(request.expiry, now),
  };
}

/** One line without secrets, because it becomes the subject of a commit and part of lists. */
function parseReason(reason: string): string {
  if (reason.includes("\0")) throw new SafetyError("bad-input", "The reason holds a NUL character.");
  const line = redactLine(reason.replaceAll(/[\p{Cc}\s]+/gu, " ").trim());
  return line.length <= MAX_REASON_LENGTH ? line : `${line.slice(0, MAX_REASON_LENGTH - CUT.length)}${CUT}`;
}

const MAX_REASON_LENGTH = 500;
const CUT = " … (cut)";

/** When a checkpoint expires: `24h`, `7d`, `never`, or an ISO time that is still to come; null is never. */
export function parseExpiry(expiry: string | null | undefined, now: Date): Date | null {
  const text = (expiry ?? "never").trim();
  if (text === "never") return null;
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (count !== undefined && unitMs !== undefined && Number(count) > 0)
    return new Date(now.getTime() + Number(count) * unitMs);
  const time = new Date(ISO.test(text) ? text : Number.NaN);
  if (time > now) return time;
  throw new SafetyError(
    "bad-input",
    `The expiry \`${text}\` is invalid.`,
    "Write a time to come: `24h`, `7d`, `never`, or an ISO time such as `2031-01-31T12:00:00Z`.",
  );
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 10_080 * MINUTE };
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** The types that can capture each kind of item; the first one that the place allows is the default. */
const TYPES_OF: Readonly<Record<ScopeItem["kind"], readonly CheckpointType[]>> = {
  path: ["git_stash", "file_backup"],
  state: ["state_snapshot"],
  sqlite: ["database_savepoint"],
  postgres: ["database_savepoint"],
};

/** The type of a snapshot: the requested one if it fits the scope, otherwise by rule. */
function chooseType(scope: readonly ScopeItem[], asked: string | null, { tree }: ScopePlace): CheckpointType {
  const kinds = scope.map(({ kind }) => TYPES_OF[kind]);
  const [first = []] = kinds;
  if (asked !== null && !CHECKPOINT_TYPES.some((type) => type === asked))
    throw new SafetyError(
      "bad-input",
      `Unknown snapshot type \`${asked}\`.`,
      `Choose one of ${CHECKPOINT_TYPES.join(", ")}.`,
    );
  if (kinds.some((types) => types[0] !== first[0]))
    throw new SafetyError("mixed-scope", "The scope mixes files, state and databases.", "Make one checkpoint of each.");
  const possible = first.filter((type) => type !== "git_stash" || tree !== null);
  const chosen = possible.find((type) => asked === null || type === asked);
  if (chosen !== undefined) return chosen;
  if (asked === "git_stash" && first.includes("git_stash"))
    throw new SafetyError(
      "bad-input",
      "`git_stash` needs a git work tree, and there is none here.",
      "Use file_backup.",
    );
  throw new SafetyError("bad-input", `\`${asked}\` cannot keep this scope.`, `It is kept by ${first.join(" or ")}.`);
}

/** The items of a scope; the first invalid word is refused. */
export function parseScope(scope: string | readonly string[], place: Omit<ScopePlace, "tree">): readonly ScopeItem[] {
  const words = typeof scope === "string" ? [scope] : scope;
  if (words.every((word) => word.trim() === ""))
    throw new SafetyError(
      "bad-input",
      "The scope is empty.",
      "Name the files, folders or globs that are about to change.",
    );
  return words.map((word) => parseWord(word, place));
}

/** A file whose name begins like a state or a database is written with `./` before it. */
function parseWord(word: string, place: Omit<ScopePlace, "tree">): ScopeItem {
  if (word.trim() === "") throw new SafetyError("bad-input", "A word of the scope is empty.");
  if (word.includes("\0")) throw new SafetyError("bad-input", "A word of the scope holds a NUL character.");
  const [, kind = "", rest = ""] = OTHER.exec(word) ?? [];
  if (kind !== "" && rest.trim() === "")
    throw new SafetyError("bad-input", `The scope has a bare prefix where \`${kind}:<name>\` was expected.`);
  if (kind === "state") return { kind, key: rest };
  if (kind === "sqlite") return { kind, path: resolve(place.cwd, sqliteFile(rest)) };
  return kind === "postgres" ? { kind, service: serviceName(rest) } : { kind: "path", path: parsePath(word, place) };
}

const OTHER = /^(state|sqlite|postgres):(.*)$/s;

function sqliteFile(path: string): string {
  if (!/^(?::memory:|file:)/.test(path)) return path;
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

function parsePath(word: string, { root, cwd }: Omit<ScopePlace, "tree">): string {
  if (word.split("/").includes(".."))
    throw new SafetyError(
      "outside-root",
      `The scope \`${word}\` climbs with \`..\`.`,
      "Name it from the root, or absolutely.",
    );
  const absolute = isAbsolute(word) ? throughLinks(join(word), root) : join(cwd, word);
  if (!isInside(absolute, root)) {
    const advice = "Start from the folder it lies in, or give --root.";
    throw new SafetyError("outside-root", `The scope \`${word}\` lies outside \`${root}\`.`, advice);
  }
  const inside = relative(root, absolute).replace(/\/+$/, "");
  const parts = inside.split("/");
  const own = parts.find((part) => part === ".git") ?? OWN_FOLDERS.find((folder) => parts[0] === folder);
  if (own === undefined) return encodePath(toBytePath(inside));
  throw new SafetyError("bad-input", `The scope \`${word}\` lies in \`${own}\`, which is never captured.`);
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

/** An item of a scope that is no file. */
export type OtherItem = Exclude<ScopeItem, { readonly kind: "path" }>;

/**
 * The path of an entry that is no file: the word that names it in a scope. Slashes are in percent notation, so that no
 * part of it could be taken for a folder.
 */
export function pathOfItem(item: OtherItem): BytePath {
  return toBytePath(wordOf(item).replaceAll(/[%/\p{Cc}]/gu, (sign) => encodeURIComponent(sign)));
}

/** The item that a path of `pathOfItem` names; null for a file. */
export function itemOfPath(path: BytePath): OtherItem | null {
  const [, kind = "", rest = ""] = OTHER.exec(textOf(path) ?? "") ?? [];
  const value = rest.replaceAll(/%[0-9A-F]{2}/g, (sign) => decodeURIComponent(sign));
  if (kind === "state") return { kind, key: value };
  if (kind === "sqlite") return { kind, path: value };
  return kind === "postgres" ? { kind, service: value } : null;
}

/** The item as a scope names it: `state:<key>`, `sqlite:<path>` or `postgres:<service>`. */
export function wordOf(item: OtherItem): string {
  return `${item.kind}:${item.kind === "state" ? item.key : item.kind === "sqlite" ? item.path : item.service}`;
}

/** A path in words: of a file as JSON holds it, of anything else as a scope names it. */
export function describePath(path: BytePath, { isOfFiles }: { readonly isOfFiles: boolean }): string {
  const item = isOfFiles ? null : itemOfPath(path);
  return item === null ? encodePath(path) : wordOf(item);
}

/** A scope of files, sorted by what its words turned out to be. */
export interface SortedScope {
  readonly named: readonly BytePath[];
  readonly folders: readonly BytePath[];
  readonly globs: readonly Glob[];
}

/** A pattern, and the folder that everything it can match lies in. */
export interface Glob {
  readonly pattern: string;
  readonly base: BytePath;
  readonly matches: (path: BytePath) => boolean;
}

/** Finds out which words are files, folders and globs; a word that names something on the disk is that, whatever its characters. */
export function sortScope(root: string, scope: readonly ScopeItem[]): SortedScope {
  const { look, isFolder } = createLooker(root);
  const named = new Set<BytePath>();
  const folders = new Set<BytePath>();
  const globs: Glob[] = [];
  for (const item of scope) {
    if (item.kind !== "path") continue;
    const path = decodePath(item.path);
    if (isFolder(path)) folders.add(path);
    else if (look(path) === null && micromatch.scan(item.path, {}).isGlob) globs.push(toGlob(item.path));
    else named.add(path);
  }
  const isOutermost = (inner: BytePath): boolean =>
    ![...folders].some((outer) => outer !== inner && isWithin(inner, outer));
  return { named: [...named], folders: [...folders].filter(isOutermost), globs };
}

function toGlob(pattern: string): Glob {
  const { base } = micromatch.scan(pattern, {});
  const isMatch = micromatch.matcher(pattern, { dot: true });
  return { pattern, base: toBytePath(base), matches: (path) => isMatch(textOf(path) ?? encodePath(path)) };
}

/** Whether a path is in the folders or globs of a scope. */
export function isListed(path: BytePath, { folders, globs }: SortedScope): boolean {
  return folders.some((folder) => isWithin(path, folder)) || globs.some((glob) => glob.matches(path));
}

/** Refuses a glob that matches nothing: a mark that covers nothing would be trusted. */
export function refuseEmptyGlobs(paths: readonly BytePath[], { globs }: SortedScope): void {
  const empty = globs.find((glob) => !paths.some((path) => glob.matches(path)));
  if (empty === undefined) return;
  const advice = "Correct the pattern, or name the file itself if it is yet to be made.";
  throw new SafetyError("nothing-matched", `Nothing matches \`${encodePath(empty.pattern)}\`.`, advice);
}

/** Refuses a file that is reached through a link or another file: it lies elsewhere. */
export function refuseBehindLinks(root: string, { named }: SortedScope): void {
  const { isFolder, look } = createLooker(root);
  for (const path of named) {
    const behind = foldersAbove(path).find((folder) => !isFolder(folder) && look(folder) !== null);
    if (behind === undefined) continue;
    const what = `\`${encodePath(path)}\` lies behind \`${encodePath(behind)}\`, which is not a real folder.`;
    throw new SafetyError("outside-root", what, "Name the place that the link points to, or the link itself.");
  }
}
