import { createHash, hash, type Hash } from "node:crypto";
import { mkdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { flushFolder, writeAll, writeWhole } from "@agent-checkpoint/files";
import { openImport, openObjects } from "@agent-checkpoint/git";
import { gitTrouble } from "./git.ts";
import type { Entry } from "./manifest.ts";
import { type BytePath, encodePath } from "./paths.ts";
import type { StoreLayout } from "./place.ts";
import { blobId } from "./read-files.ts";
import { SafetyError } from "./trouble.ts";

/** The objects in a store. Contents are asked for by their id and proven by it. */
export interface Contents {
  /** Copies the bytes into an open file while proving them; refuses if they are missing or damaged. */
  readonly copy: (entry: Entry, file: number) => Promise<void>;
  /** The bytes of the content of an entry; refuses if they are missing or damaged. */
  readonly read: (entry: Entry) => Promise<Buffer>;
  /** Whether the bytes are there and have this id. */
  readonly isWhole: (oid: string) => Promise<boolean>;
  /** Any object by its name; null if it is missing, damaged or of another type. */
  readonly object: (name: string, type: "blob" | "commit") => Promise<Buffer | null>;
  readonly close: () => void;
}

/** Opens a store for reading. */
export function openContents({ repository }: Pick<StoreLayout, "repository">): Contents {
  const { read, close } = openObjects(repository);
  const prove = async (oid: string, take: (part: Buffer) => void): Promise<boolean> => {
    let digest: Hash | null = null;
    const type = await read(oid, (part, size) => {
      digest ??= createHash("sha1").update(`blob ${size}\0`);
      digest.update(part);
      take(part);
    });
    return type === "blob" && ((digest as Hash | null)?.digest("hex") ?? EMPTY) === oid;
  };
  const demand = async ({ path, oid }: Entry, take: (part: Buffer) => void): Promise<void> => {
    if (await prove(oid ?? "", take)) return;
    throw new SafetyError("damaged", `The contents of \`${encodePath(path)}\` are missing or damaged in the store.`);
  };
  return {
    copy: (entry, file) => demand(entry, (part) => writeAll(file, part)),
    read: async (entry) => {
      const parts: Buffer[] = [];
      await demand(entry, (part) => parts.push(Buffer.from(part)));
      return Buffer.concat(parts);
    },
    isWhole: (oid) => prove(oid, () => undefined),
    object: async (name, type) => {
      const parts: Buffer[] = [];
      return (await read(name, (part) => parts.push(part))) === type ? Buffer.concat(parts) : null;
    },
    close,
  };
}

const EMPTY = blobId(Buffer.alloc(0));

/** A path of a commit: its content and mode, or its removal. */
export interface TreeChange {
  readonly path: BytePath;
  readonly mode: "100644" | "100755" | "120000" | null;
  readonly oid: string;
}

/** What an entry is in the tree of a commit. */
export function changeOf({ path, type, mode, oid }: Entry): TreeChange {
  if (oid === null) return { path, mode: null, oid: "" };
  if (type === "link") return { path, mode: "120000", oid };
  return { path, mode: type === "file" && (mode & 0o100) !== 0 ? "100755" : "100644", oid };
}

/** A commit to be made; the commits of one run know each other by their number, which starts with 1. */
export interface NewCommit {
  readonly message: string;
  readonly seconds: number;
  /** The tree that the changes start from; null for that of the first parent, or an empty one. */
  readonly tree: string | null;
  readonly parents: readonly number[];
  readonly changes: readonly TreeChange[];
}

/** The tree of a commit that was made, and its parents. */
export interface Published {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Writes the contents and the commits of one snapshot. */
export interface ObjectWriter {
  /** Gets ready while something else is waited for. */
  readonly start: () => void;
  /** Whether git has been given something to write. */
  readonly isUsed: () => boolean;
  /** Takes bytes and gives their id; what the store holds already is not written again. */
  readonly add: (bytes: Buffer) => Promise<string>;
  /** Takes what an open file holds from its start; a file that gets shorter meanwhile is filled up, and has changed. */
  readonly addFile: (file: number, size: number) => Promise<string>;
  /** Brings everything taken so far onto the disk, where it can be read. */
  readonly flush: () => Promise<void>;
  /** Makes commits on a ref, which is written in the last step and names the last of them. */
  readonly publish: (ref: string, commits: readonly NewCommit[]) => Promise<Published>;
  readonly abort: () => Promise<void>;
}

/** Opens a store for the objects of one snapshot. */
export function openWriter({ repository }: StoreLayout): ObjectWriter {
  const git = openImport(repository);
  let isUsed = false;
  /** Gives what git complains of as a trouble. */
  const guard = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw error instanceof Error && !("code" in error) ? gitTrouble(error.message) : error;
    });
  const addFile = async (size: number, part: (at: number) => Buffer): Promise<string> => {
    isUsed = true;
    await git.send(`blob\ndata ${size}\n`);
    const digest = createHash("sha1").update(`blob ${size}\0`);
    for (let done = 0; done < size;) {
      const taken = part(done);
      digest.update(taken);
      await git.send(taken);
      done += taken.length;
    }
    await git.send("\n");
    return digest.digest("hex");
  };
  const publish = async (ref: string, commits: readonly NewCommit[]): Promise<Published> => {
    for (const [index, commit] of commits.entries()) {
      for (const part of renderCommit(ref, commit, index + 1)) await git.send(part);
    }
    const tree = await git.ask(`ls :${commits.length} ""\n`);
    const parents: string[] = [];
    for (const mark of commits.at(-1)?.parents ?? []) parents.push(await git.ask(`get-mark :${mark}\n`));
    const result = await git.finish();
    if (!result.ok) throw new Error(result.detail);
    flushFolder(dirname(join(repository, ref)));
    return { tree: /^040000 tree ([0-9a-f]+)/.exec(tree)?.[1] ?? "", parents };
  };
  return {
    start: git.start,
    isUsed: () => isUsed,
    add: (bytes) => guard(addFile(bytes.length, () => bytes)),
    // Git reads from the pipe when it likes, so each part has room of its own.
    addFile: (file, size) =>
      guard(
        addFile(size, (at) => {
          const part = Buffer.alloc(Math.min(CHUNK, size - at));
          const length = readSync(file, part, 0, part.length, at);
          return length === 0 ? part : part.subarray(0, length);
        }),
      ),
    flush: async () => void (isUsed && (await guard(git.ask("checkpoint\nprogress flushed\n")))),
    publish: (ref, commits) => guard(publish(ref, commits)),
    abort: git.abort,
  };
}

const CHUNK = 1024 * 1024;

function* renderCommit(ref: string, commit: NewCommit, mark: number): Iterable<string | Buffer> {
  const { message, seconds, tree, parents, changes } = commit;
  const text = Buffer.from(message, "utf8");
  yield `commit ${ref}\nmark :${mark}\ncommitter ${IDENTITY} ${seconds} +0000\ndata ${text.length}\n`;
  yield text;
  yield `\n${parents.map((parent, index) => `${index === 0 ? "from" : "merge"} :${parent}\n`).join("")}`;
  if (tree !== null) yield `M 040000 ${tree} ""\n`;
  for (let at = 0; at < changes.length; at += LINES)
    yield changes
      .slice(at, at + LINES)
      .map(lineOf)
      .join("");
  yield "\n";
}

function lineOf({ path, mode, oid }: TreeChange): string {
  const escaped = /["\\\n]/.test(path) ? path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("\n", "\\n") : path;
  const quoted = `"${escaped}"`;
  return mode === null ? `D ${quoted}\n` : `M ${mode} ${oid} ${quoted}\n`;
}

const LINES = 1000;
/** A fixed identity, so that a snapshot needs no configured one and shows who took it. */
const IDENTITY = "agent-checkpoint <agent-checkpoint@localhost>";

/**
 * Makes a commit on a new ref whose tree and parents are in the store already. A process of git's would take longer than
 * everything else about such a snapshot.
 */
export function publishAgain(
  layout: StoreLayout,
  ref: string,
  { tree, parents, message, seconds }: Published & Pick<NewCommit, "message" | "seconds">,
): Published {
  const headers = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    ...["author", "committer"].map((role) => `${role} ${IDENTITY} ${seconds} +0000`),
  ];
  const oid = writeLoose(layout, "commit", Buffer.from(`${headers.join("\n")}\n\n${message}`));
  writeWhole(join(layout.repository, ref), `${oid}\n`, { tmp: layout.tmp });
  return { tree, parents };
}

/**
 * Writes an object as git writes a loose one. A content can so be written beside a damaged copy of it: git itself would
 * take that for the content, but passes over a copy that it cannot read.
 */
export function writeLoose({ repository, tmp }: StoreLayout, type: "blob" | "commit", bytes: Buffer): string {
  const object = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const oid = hash("sha1", object);
  const path = join(repository, "objects", oid.slice(0, 2), oid.slice(2));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeWhole(path, deflateSync(object), { tmp, mode: 0o400 });
  return oid;
}
