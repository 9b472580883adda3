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

/** By name and version; the bundles of one package are built in one process and share a file. */
const libraries = new Map<string, Library>();

/** Writes the licence of every library that a bundle holds code of, as its licence asks for; a library without one fails the build. */
export function thirdPartyNotices(): Rolldown.Plugin {
  return {
    name: "third-party-notices",
    writeBundle({ dir }, bundle) {
      for (const output of Object.values(bundle))
        for (const id of output.type === "chunk" ? output.moduleIds : []) addLibrary(id);
      if (dir === undefined || libraries.size === 0) return;
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, NOTICES), render([...libraries.values()]));
    },
  };
}

function addLibrary(moduleId: string): void {
  const [path = ""] = moduleId.replace(/^\0/, "").split("?");
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
  if (folder === undefined) return;
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const key = `${name}@${version}`;
  if (libraries.has(key)) return;
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file === undefined || license === undefined) throw new Error(`${key} is bundled and has no licence: ${folder}`);
  libraries.set(key, { name, version, licence: license, text: readFileSync(join(folder, file), "utf8").trim() });
}

function render(all: readonly Library[]): string {
  const sorted = all.toSorted((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
  const entries = sorted.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`);
  return `Code of these libraries is part of the programs in this folder.\n\n${entries.join(`\n${"-".repeat(80)}\n\n`)}`;
}
