import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "../../version.ts";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import type { FileResult } from "../judge/replay-file.ts";
import type { ProjectRules } from "../judge/replay-rules.ts";

/** Keeps what came of each file, so that a file that has not changed is not read again. */
export interface ResultCache {
  readonly get: (file: TranscriptFile) => FileResult | null;
  readonly put: (file: TranscriptFile, result: FileResult) => void;
  readonly clear: () => void;
}

/** Grows when results mean something else than before. */
const FORMAT = 2;

interface Stored {
  readonly key: Key;
  readonly result: FileResult;
}

/** All that a result depends on beside the rules of the file's project. */
interface Key {
  readonly format: number;
  readonly version: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly since: number | null;
}

/** A cache in a folder with one small file for each transcript, written beside and moved into place. */
export function createResultCache(
  folder: string,
  { since, rulesOf }: { readonly since: number | null; readonly rulesOf: (project: string | null) => ProjectRules },
): ResultCache {
  const keyOf = ({ path, size, mtimeMs }: TranscriptFile): Key => ({
    format: FORMAT,
    version: VERSION,
    path,
    size,
    mtimeMs,
    since,
  });
  return {
    get: (file) => {
      const stored = readStored(pathIn(folder, file));
      if (stored === null || JSON.stringify(stored.key) !== JSON.stringify(keyOf(file))) return null;
      // What a person names is looked at, whatever it was taken for among others.
      if (file.isNamed && stored.result.kind === "skipped") return null;
      return isCurrent(stored.result, rulesOf) ? stored.result : null;
    },
    put: (file, result) => {
      if (isKept(result)) writeStored(pathIn(folder, file), { key: keyOf(file), result });
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A failure may pass, and another agent's file is only of no interest this time. */
function isKept(result: FileResult): boolean {
  return result.kind === "replayed" || (result.kind === "skipped" && result.why !== "other-agent");
}

function isCurrent(result: FileResult, rulesOf: (project: string | null) => ProjectRules): boolean {
  if (result.kind !== "replayed") return true;
  const rules = rulesOf(result.project);
  return rules.ok && rules.hash === result.rulesHash;
}

function pathIn(folder: string, { path }: TranscriptFile): string {
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return join(folder, name.slice(0, 2), `${name}.json`);
}

function readStored(path: string): Stored | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Stored;
  } catch {
    return null;
  }
}

/** A cache that cannot be written makes the next run slower, and nothing else. */
function writeStored(path: string, stored: Stored): void {
  const beside = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(beside, JSON.stringify(stored), { mode: 0o600 });
    renameSync(beside, path);
  } catch {
    // The result itself is not lost.
  }
}
