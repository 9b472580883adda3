import { isAscii } from "node:buffer";
import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { Script } from "node:vm";
import { type Kept, readKept, writeKept } from "../kept/kept-file.ts";
import { removeOld } from "../kept/kept-folder.ts";
import { shortDigest } from "../kept/short-digest.ts";

/** The files that the program is built in. */
export interface Parts {
  /** What a part exports; it is loaded the first time. */
  readonly load: (name: string) => unknown;
  /** Keeps what V8 has made of the parts that were loaded, unless that was done for the same use before. */
  readonly keep: (use: string) => void;
}

/** Where parts are, and what loads everything else. */
export interface PartsPlace {
  readonly folder: string;
  /** Where code is kept; null for nowhere. */
  readonly codeFolder: string | null;
  readonly require: (name: string) => unknown;
}

interface Part {
  readonly module: { exports: unknown };
  readonly script: Script;
  readonly source: Buffer;
  readonly path: string;
  readonly kept: Kept | null;
}

/**
 * Loads the parts of the program with the code that V8 made of them at earlier calls.
 *
 * Node's own compile cache keeps what the first process has compiled and never adds to it: after a prompt, all that only
 * a stop needs would be compiled at every stop. Here code is kept again for every new use.
 */
export function createParts({ folder, codeFolder, require }: PartsPlace): Parts {
  const parts = new Map<string, Part>();
  const loadAny = (name: string): unknown => (name.startsWith("./") ? load(name) : require(name));

  function load(name: string): unknown {
    const known = parts.get(name);
    if (known !== undefined) return known.module.exports;
    const filename = `${folder}${sep}${name.slice(2)}`;
    const source = readFileSync(filename);
    const path = codeFolder === null ? "" : `${codeFolder}${sep}${name.slice(2)}-${RUNNER}`;
    const kept = codeFolder === null ? null : readKept(path, source);
    const script = new Script(source.toString(isAscii(source) ? "latin1" : "utf8"), {
      filename,
      ...(kept !== null && { cachedData: kept.made }),
    });
    const isTaken = script.cachedDataRejected === false;
    const part: Part = { module: { exports: {} }, script, source, path, kept: isTaken ? kept : null };
    parts.set(name, part);
    const run = script.runInThisContext() as Run;
    run(part.module.exports, loadAny, part.module, filename, folder);
    return part.module.exports;
  }

  return {
    load,
    keep: (use) => {
      if (codeFolder === null) return;
      // The same event needs more where it comes to more.
      const wholeUse = [use, ...parts.keys()].join(" ");
      try {
        for (const { script, source, path, kept } of parts.values()) {
          const uses = kept?.uses ?? [];
          if (uses.includes(wholeUse) || uses.length >= MOST_USES) continue;
          if (kept === null) removeOld(codeFolder, Date.now());
          writeKept(path, source, { made: script.createCachedData(), uses: [...uses, wholeUse] });
        }
      } catch {
        // A full disk, or a home that cannot be written to: it is compiled again the next time.
      }
    },
  };
}

/** There are three agents, some events and a few ways for each to end. */
const MOST_USES = 50;

type Run = (exports: unknown, require: unknown, module: unknown, filename: string, folder: string) => void;

/** What code depends on besides its source: V8 takes none that another version or other flags have made. */
const RUNNER = `${process.version}-${process.arch}${flagsInShort([...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" "))}`;

function flagsInShort(flags: string): string {
  return flags === "" ? "" : `-${shortDigest(flags)}`;
}
