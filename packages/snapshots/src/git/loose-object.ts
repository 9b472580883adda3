import { hash } from "node:crypto";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

/** An object of git with its id. */
export interface LooseObject {
  readonly oid: string;
  readonly bytes: Buffer;
}

export interface CommitFacts {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Name, address, seconds and zone, of author and committer alike. */
  readonly who: string;
  readonly message: string;
}

/** A commit as git stores it. */
export function looseCommit({ tree, parents, who, message }: CommitFacts, format: "sha1" | "sha256"): LooseObject {
  const lines = [`tree ${tree}`, ...parents.map((oid) => `parent ${oid}`), `author ${who}`, `committer ${who}`, "", ""];
  const body = Buffer.from(lines.join("\n") + message);
  const bytes = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  return { oid: hash(format, bytes), bytes };
}

/** The file of an object in a folder of objects: its name and its contents. */
export function looseFile(objects: string, { oid, bytes }: LooseObject): readonly [path: string, content: Buffer] {
  return [join(objects, oid.slice(0, 2), oid.slice(2)), deflateSync(bytes, SMALL)];
}

/** For some hundred bytes, not the quarter of a megabyte that is set aside by default. */
const SMALL = { windowBits: 9, memLevel: 1 };
