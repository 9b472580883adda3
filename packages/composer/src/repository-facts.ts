import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readTrackedNames, type TrackedNames } from "@agent-checkpoint/git";
import type { RepositoryFacts } from "@agent-checkpoint/heuristics";
import { fromCache, toCache } from "./repository-cache.ts";

/** A file may change twice within a tick of the system's clock, and some clocks are coarse. */
const SETTLED_AFTER_MS = 2000;

/**
 * What a stop needs to know of a repository.
 *
 * Cached in the home as long as git tracks the same names and every file that was looked at is in the same state; anything
 * that is in doubt is read anew.
 */
export async function repositoryFacts(root: string, home: string | null): Promise<RepositoryFacts> {
  const place = { home, root, kind: "facts" } as const;
  const index = stateOf(root, join(".git", "index"));
  let tracked: TrackedNames | null = null;
  const cached = fromCache(place, (known) => {
    const hasSameNames =
      (known.index === index && index !== ABSENT) || known.names === (tracked ??= readTrackedNames(root)).digest;
    const isSame = hasSameNames && Object.entries(known.files).every(([file, state]) => stateOf(root, file) === state);
    return isSame ? known : null;
  });
  if (cached === null) return readAnew(root, tracked ?? readTrackedNames(root), { home, index });
  if (cached.index !== index && isSettled([index])) toCache(place, { ...cached, index });
  return factsForStops(cached.facts);
}

async function readAnew(
  root: string,
  { digest, list }: TrackedNames,
  { home, index }: { readonly home: string | null; readonly index: string },
): Promise<RepositoryFacts> {
  const { readRepository } = await import("@agent-checkpoint/repository");
  const files: Record<string, string> = {};
  const names = list();
  // If git tracks nothing yet, what it would track can change without it.
  const isCached = home !== null && names.length > 0;
  const read = await readRepository(root, {
    tracked: names.length > 0 ? names : undefined,
    onRead: (file) => void (files[file] = isCached ? stateOf(root, file) : ""),
  });
  const facts = factsForStops(read);
  const states = Object.values(files);
  if (isCached && isSettled(states))
    toCache({ home, root, kind: "facts" }, { names: digest, index: isSettled([index]) ? index : ABSENT, files, facts });
  return facts;
}

function isSettled(states: readonly string[]): boolean {
  const settledBefore = Date.now() - SETTLED_AFTER_MS;
  return states.every((state) => changedAt(state) < settledBefore);
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

const ABSENT = "absent";

/** A program can set the time of modification back, but not the time of change. */
function stateOf(root: string, file: string): string {
  try {
    const { ctimeMs, ino, size } = lstatSync(join(root, file));
    return `${ctimeMs} ${ino} ${size}`;
  } catch {
    // Also if there is a file instead of a folder: `.git` in a linked work tree.
    return ABSENT;
  }
}

function changedAt(state: string): number {
  return state === ABSENT ? 0 : Number.parseFloat(state);
}
