import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readSmallText, writeWhole } from "@agent-checkpoint/files";
import { readTrackedNames, type TrackedNames } from "@agent-checkpoint/git";
import type { RepositoryFacts } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/redaction";

/** The folder of cached facts in the home, one file for each repository. */
const FOLDER = "facts";
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** A file may change twice within a tick of the system's clock, and some clocks are coarse. */
const SETTLED_AFTER_MS = 2000;

/** Facts with everything that they depend on. */
interface CachedFacts {
  /** The program that read them: another one may read more out of the same files. */
  readonly program: string;
  readonly root: string;
  /** The digest of the tracked names. */
  readonly names: string;
  /** The files whose text was looked at, each with the state that it was in. */
  readonly files: Readonly<Record<string, string>>;
  readonly facts: RepositoryFacts;
}

/**
 * What a stop needs to know of a repository.
 *
 * Cached in the home as long as git tracks the same names and every file that was looked at is in the same state; anything
 * that is in doubt is read anew.
 */
export async function repositoryFacts(root: string, home: string | null): Promise<RepositoryFacts> {
  const path = home === null ? null : cachePath(root, home);
  const tracked = readTrackedNames(root);
  return (path === null ? null : readCache(path, root, tracked)) ?? readAnew(root, tracked, path);
}

/** Known by the folder itself, so that no name has to be made of a path. */
function cachePath(root: string, home: string): string | null {
  const stats = statSync(root, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : join(home, FOLDER, `${stats.dev}-${stats.ino}.json`);
}

function readCache(path: string, root: string, { digest }: TrackedNames): RepositoryFacts | null {
  const text = readSmallText(path, MAX_BYTES);
  if (text === null) return null;
  try {
    const { program, root: of, names, files, facts } = JSON.parse(text) as CachedFacts;
    if (program !== programState() || of !== root || names !== digest) return null;
    return Object.entries(files).every(([file, state]) => stateOf(root, file) === state) ? factsForStops(facts) : null;
  } catch {
    // Damaged, or of another form.
    return null;
  }
}

async function readAnew(root: string, tracked: TrackedNames, path: string | null): Promise<RepositoryFacts> {
  const { readRepository } = await import("@agent-checkpoint/repository");
  const files: Record<string, string> = {};
  const names = tracked.list();
  // Git tracks nothing yet: what it would track can change without it.
  const isCached = path !== null && names.length > 0;
  const read = await readRepository(root, {
    tracked: names.length > 0 ? names : undefined,
    onRead: (file) => void (files[file] = isCached ? stateOf(root, file) : ""),
  });
  const facts = factsForStops(read);
  if (isCached) writeCache(path, { program: programState(), root, names: tracked.digest, files, facts });
  return facts;
}

/** The part of the facts that stops are judged on. */
function factsForStops({ projects, testFolders, commands }: RepositoryFacts): RepositoryFacts {
  return {
    projects: projects.map(({ folder, language }) => ({ folder, language })),
    testFolders,
    commands: commands.map(({ command, folder, kind, languages, runs, name }) => ({
      command,
      folder,
      kind,
      languages,
      runs,
      name,
    })),
  };
}

/** What holds a secret is not stored, and what was changed just now may change again unnoticed. */
function writeCache(path: string, cached: CachedFacts): void {
  const text = JSON.stringify(cached);
  const isSettled = Object.values(cached.files).every((state) => changedAt(state) < Date.now() - SETTLED_AFTER_MS);
  if (!isSettled || redact(text) !== text) return;
  try {
    const folder = join(path, "..");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(path, text, { mode: 0o600, isFlushed: false });
    for (const name of readdirSync(folder)) {
      const other = join(folder, name);
      if (Date.now() - statSync(other).mtimeMs > MAX_AGE_MS) rmSync(other, { force: true });
    }
  } catch {
    // A full disk, or a home that cannot be written to: they are read again the next time.
  }
}

/** A program can set the time of modification back, but not the time of change. */
function stateOf(root: string, file: string): string {
  const stats = lstatSync(join(root, file), { throwIfNoEntry: false });
  return stats === undefined ? "absent" : `${stats.ctimeMs} ${stats.ino} ${stats.size}`;
}

function changedAt(state: string): number {
  return state === "absent" ? 0 : Number.parseFloat(state);
}

/** Tells one build of this program from another. */
function programState(): string {
  const { ctimeMs, ino, size } = statSync(import.meta.filename);
  return `${ctimeMs} ${ino} ${size}`;
}
