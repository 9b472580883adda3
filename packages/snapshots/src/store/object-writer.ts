import { createHash } from "node:crypto";
import { mkdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { writeWhole } from "@agent-checkpoint/files";
import { type Importer, openImport } from "@agent-checkpoint/git";
import type { BytePath } from "../paths/byte-path.ts";
import { blobId } from "./contents.ts";
import { gitTrouble } from "./repository.ts";
import type { StoreLayout } from "./store-layout.ts";

/** A path of a commit: its content and mode, or its removal. */
export interface TreeChange {
  readonly path: BytePath;
  readonly mode: "100644" | "100755" | "120000" | null;
  readonly oid: string;
}

/** A commit to be made; commits of one run know each other by their number, which starts with 1. */
export interface NewCommit {
  readonly message: string;
  readonly seconds: number;
  /** The tree that the changes start from; null for that of the first parent, or an empty one. */
  readonly tree: string | null;
  /** The first parent. */
  readonly from: number | null;
  readonly merge: readonly number[];
  readonly changes: Iterable<TreeChange>;
}

/** Writes the contents and the commits of one snapshot. */
export interface ObjectWriter {
  /** Takes bytes and gives their id; what the store holds already is not written again. */
  readonly add: (bytes: Buffer) => Promise<string>;
  /** Takes what an open file holds from its start; a file that gets shorter meanwhile is filled up, and has changed. */
  readonly addFile: (file: number, size: number) => Promise<string>;
  /** Brings everything taken so far onto the disk, where it can be read. */
  readonly flush: () => Promise<void>;
  /** Makes commits on a ref, which is written in the last step and names the last of them; gives its tree. */
  readonly publish: (ref: string, commits: readonly NewCommit[]) => Promise<string>;
  readonly abort: () => Promise<void>;
}

/** Opens a store for the objects of one snapshot. */
export function openWriter({ repository }: StoreLayout): ObjectWriter {
  const git = openImport(repository);
  return withTroubles({
    add: async (bytes) => {
      await git.send(`blob\ndata ${bytes.length}\n`);
      await git.send(bytes);
      await git.send("\n");
      return blobId(bytes);
    },
    addFile: async (file, size) => {
      await git.send(`blob\ndata ${size}\n`);
      const digest = createHash("sha1").update(`blob ${size}\0`);
      for (let done = 0; done < size;) {
        // Git reads from the pipe when it likes, so each part has room of its own.
        const part = Buffer.alloc(Math.min(CHUNK, size - done));
        const length = readSync(file, part, 0, part.length, done);
        const taken = length === 0 ? part : part.subarray(0, length);
        digest.update(taken);
        await git.send(taken);
        done += taken.length;
      }
      await git.send("\n");
      return digest.digest("hex");
    },
    flush: async () => void (await git.ask("checkpoint\nprogress flushed\n")),
    publish: async (ref, commits) => {
      for (const [index, commit] of commits.entries()) await sendCommit(git, ref, commit, index + 1);
      const tree = await git.ask(`ls :${commits.length} ""\n`);
      const result = await git.finish();
      if (!result.ok) throw new Error(result.detail);
      return /^040000 tree ([0-9a-f]+)/.exec(tree)?.[1] ?? "";
    },
    abort: git.abort,
  });
}

const CHUNK = 1024 * 1024;

/** Gives what git complains of as a trouble. */
function withTroubles(writer: ObjectWriter): ObjectWriter {
  const guard =
    <Args extends readonly unknown[], Value>(work: (...args: Args) => Promise<Value>) =>
    (...args: Args): Promise<Value> =>
      work(...args).catch((error: unknown) => {
        throw error instanceof Error && !("code" in error) ? gitTrouble(error.message) : error;
      });
  return {
    add: guard(writer.add),
    addFile: guard(writer.addFile),
    flush: guard(writer.flush),
    publish: guard(writer.publish),
    abort: writer.abort,
  };
}

async function sendCommit({ send }: Importer, ref: string, commit: NewCommit, mark: number): Promise<void> {
  const { message, seconds, tree, from, merge, changes } = commit;
  const text = Buffer.from(message, "utf8");
  await send(`commit ${ref}\nmark :${mark}\ncommitter ${IDENTITY} ${seconds} +0000\ndata ${text.length}\n`);
  await send(text);
  await send(
    ["", ...(from === null ? [] : [`from :${from}`]), ...merge.map((parent) => `merge :${parent}`), ""].join("\n"),
  );
  if (tree !== null) await send(`M 040000 ${tree} ""\n`);
  let lines: string[] = [];
  for (const { path, mode, oid } of changes) {
    lines.push(mode === null ? `D ${quote(path)}\n` : `M ${mode} ${oid} ${quote(path)}\n`);
    if (lines.length === LINES) {
      await send(lines.join(""));
      lines = [];
    }
  }
  await send(`${lines.join("")}\n`);
}

const LINES = 1000;
/** A fixed identity, so that a snapshot needs no configured one and shows who took it. */
const IDENTITY = "agent-checkpoint <agent-checkpoint@localhost>";

function quote(path: BytePath): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/**
 * Writes a content beside a damaged copy of it: git passes over a copy that it cannot read.
 * It is written as git writes a loose object, since git itself takes the damaged one for the content.
 */
export function writeBeside({ repository, tmp }: StoreLayout, bytes: Buffer): void {
  const oid = blobId(bytes);
  const path = join(repository, "objects", oid.slice(0, 2), oid.slice(2));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const object = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  writeWhole(path, deflateSync(object), { tmp, mode: 0o400 });
}
