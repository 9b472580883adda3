import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Rolldown } from "tsdown";

/** The file beside the programs with the licences of the libraries that are in them. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";

/** A library whose code is in a bundle. */
interface Library {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** Modules of all bundles so far: those of one package are built in one process and share a file. */
const modules = new Set<string>();

/** Writes the licence of every library that a bundle holds code of, as its licence asks for; a library without one fails the build. */
export function thirdPartyNotices(): Rolldown.Plugin {
  return {
    name: "third-party-notices",
    writeBundle({ dir }, bundle) {
      for (const output of Object.values(bundle))
        for (const id of output.type === "chunk" ? output.moduleIds : []) modules.add(id);
      if (dir !== undefined) writeNotices(dir, [...modules]);
    },
  };
}

/** Writes the notices of the libraries that these modules belong to, and of a runtime, into a folder; none if there are none. */
export function writeNotices(folder: string, moduleIds: readonly string[], runtime: string | null = null): void {
  const libraries = new Map(moduleIds.flatMap(libraryOf).map((one) => [`${one.name}@${one.version}`, one]));
  if (libraries.size === 0) return;
  const entries = [...libraries]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { name, version, licence, text }]) => `${name} ${version} (${licence})\n\n${text}\n`);
  const all = runtime === null ? entries : [runtime, ...entries];
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, NOTICES),
    `Code of these libraries is part of the programs in this folder.\n\n${all.join(`\n${"-".repeat(80)}\n\n`)}`,
  );
}

const known = new Map<string, readonly Library[]>();

function libraryOf(moduleId: string): readonly Library[] {
  const [path = ""] = moduleId.replace(/^\0/, "").split("?");
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll("\\", "/"))?.[0];
  if (folder === undefined) return [];
  const found = known.get(folder) ?? [readLibrary(folder)];
  known.set(folder, found);
  return found;
}

function readLibrary(folder: string): Library {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file === undefined || license === undefined)
    throw new Error(`${name}@${version} is bundled and has no licence: ${folder}`);
  return { name, version, licence: license, text: readFileSync(join(folder, file), "utf8").trim() };
}
