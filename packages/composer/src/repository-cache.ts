import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readSmallText, writeWhole } from "@agent-checkpoint/files";
import type { RepositoryFacts } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/redaction";
import type { LoadedRules } from "./rules/load-rules.ts";

/** The folder in the home, with a file for each repository and kind. */
const FOLDER = "repositories";
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** What is cached about a repository, by kind. */
interface Cached {
  readonly facts: {
    /** The digest of the names that git tracked. */
    readonly names: string;
    /** The state of git's index with these names; reading many of them takes long. */
    readonly index: string;
    /** The files whose text was looked at, each with the state that it was in. */
    readonly files: Readonly<Record<string, string>>;
    readonly facts: RepositoryFacts;
  };
  readonly rules: {
    /** The configs that they were made of. */
    readonly source: string;
    readonly loaded: LoadedRules;
  };
}

interface Entry {
  /** The program that wrote it: another one may read the same files differently. */
  readonly program: string;
  readonly root: string;
  readonly value: unknown;
}

/** The result of `use` on the cached value; null if there is none, or it is damaged or of another program or repository. */
export function fromCache<Kind extends keyof Cached, Result>(
  { home, root, kind }: Place<Kind>,
  use: (value: Cached[Kind]) => Result | null,
): Result | null {
  try {
    const path = home === null ? null : pathOf(home, root, kind);
    const text = path === null ? null : readSmallText(path, MAX_BYTES);
    if (text === null) return null;
    const { program, root: of, value } = JSON.parse(text) as Entry;
    return program === programState() && of === root ? use(value as Cached[Kind]) : null;
  } catch {
    return null;
  }
}

/** Where something is cached, and about which repository; without a home nothing is. */
interface Place<Kind extends keyof Cached> {
  readonly home: string | null;
  readonly root: string;
  readonly kind: Kind;
}

/** Caches a value, unless it contains a secret; if it cannot be written, it is made anew the next time. */
export function toCache<Kind extends keyof Cached>({ home, root, kind }: Place<Kind>, value: Cached[Kind]): void {
  try {
    const path = home === null ? null : pathOf(home, root, kind);
    if (home === null || path === null) return;
    const text = JSON.stringify({ program: programState(), root, value } satisfies Entry);
    if (redact(text) !== text) return;
    const folder = join(home, FOLDER);
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    writeWhole(path, text, { mode: 0o600, isFlushed: false });
    for (const name of readdirSync(folder)) {
      const other = join(folder, name);
      if (Date.now() - statSync(other).mtimeMs > MAX_AGE_MS) rmSync(other, { force: true });
    }
  } catch {
    // A full disk, or a home that cannot be written to.
  }
}

/** The name comes from the identity of the root folder, not from its path. */
function pathOf(home: string, root: string, kind: keyof Cached): string | null {
  const stats = statSync(root, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : join(home, FOLDER, `${kind}-${stats.dev}-${stats.ino}.json`);
}

/** Identifies the build of this program: by this file, or by the executable that contains it. */
function programState(): string {
  return [import.meta.filename, process.execPath]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? "" : `${stats.ctimeMs} ${stats.ino} ${stats.size}`))
    .join(", ");
}
