import {
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Writes the compiled code of the files that were loaded, unless it is cached already.
 * A run is whole if it went all the way: its code replaces that of a run that was not.
 */
export type SaveCode = (isWhole: boolean) => void;

interface CachedCode {
  readonly code: Buffer;
  readonly isWhole: boolean;
}

interface LoadedFile {
  readonly path: string;
  /** Tells one state of the file from another. */
  readonly state: string;
  readonly script: Script;
  /** Null if the file was compiled. */
  readonly cached: CachedCode | null;
}

/**
 * Loads the other files of this program with the code that V8 compiled for earlier events.
 *
 * Node's own compile cache holds what is compiled before a file runs, which is no function that is called later. To
 * compile those takes 0.4 times as long as `node -e 0` at a blocking stop.
 */
export function useCodeCache(home: string): SaveCode {
  const folder = cacheFolder(home);
  if (folder === null) return () => undefined;
  const files: LoadedFile[] = [];
  const compile: Compile = function compile(text, filename) {
    const path = join(folder, basename(filename));
    const { ctimeMs, ino, size } = statSync(filename);
    const state = `${ctimeMs} ${ino} ${size}`;
    const cached = readCode(path, state);
    const script = new Script(Module.wrap(text), { filename, ...(cached !== null && { cachedData: cached.code }) });
    files.push({ path, state, script, cached: script.cachedDataRejected === false ? cached : null });
    const run = script.runInThisContext() as (...values: unknown[]) => void;
    run(this.exports, (id: string): unknown => this.require(id), this, filename, dirname(filename));
  };
  // The function that Node calls with the text of every file that is required.
  Reflect.set(Module.prototype, "_compile", compile);
  return (isWhole) => {
    for (const { path, state, script, cached } of files)
      if (cached === null || (isWhole && !cached.isWhole))
        writeCode(path, state, { code: script.createCachedData(), isWhole });
  };
}

type Compile = (this: NodeJS.Module, text: string, filename: string) => void;

/** The folder of cached code; null without a home, and if others can write there: the code is run. */
function cacheFolder(home: string): string | null {
  const folder = join(home, "compile-cache");
  try {
    if (!isOwnFolder(statSync(home))) return null;
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
    return isOwnFolder(lstatSync(folder)) ? folder : null;
  } catch {
    return null;
  }
}

function isOwnFolder(stats: Stats): boolean {
  const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
  return stats.isDirectory() && isOwn;
}

/**
 * The code that is cached for a state of a file.
 *
 * V8 compares little more than the length of a source before it runs what it is given, and a damaged byte crashes the
 * process. So the cache names the state, and holds the code twice.
 */
function readCode(path: string, state: string): CachedCode | null {
  try {
    const file = readFileSync(path, { flag: READ_PLAIN_FILE });
    const start = file.indexOf("\n") + 1;
    const head = file.toString("latin1", 0, start);
    const middle = start + (file.length - start) / 2;
    const code = file.subarray(start, middle);
    const isWhole = head === headOf(state, true);
    const isOfState = isWhole || head === headOf(state, false);
    return isOfState && code.length > 0 && code.equals(file.subarray(middle)) ? { code, isWhole } : null;
  } catch {
    return null;
  }
}

/** A link is not followed, and a pipe is not waited for. Windows knows neither flag, and an undefined one counts as none. */
const READ_PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function writeCode(path: string, state: string, { code, isWhole }: CachedCode): void {
  try {
    const draft = `${path}.${process.pid}.new`;
    writeFileSync(draft, Buffer.concat([Buffer.from(headOf(state, isWhole)), code, code]), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A full disk, or a home that cannot be written to: it is compiled again the next time.
  }
}

function headOf(state: string, isWhole: boolean): string {
  return `${state} ${isWhole ? "whole" : "part"}\n`;
}
