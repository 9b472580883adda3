import type { BytePath } from "../paths/byte-path.ts";

/** A path of a commit: contents and mode, or its removal. */
export type TreeChange =
  | { readonly path: BytePath; readonly mode: "100644" | "100755" | "120000"; readonly bytes: () => Buffer }
  | { readonly path: BytePath; readonly mode: null };

/** A commit to be made. */
export interface NewCommit {
  readonly ref: string;
  readonly message: string;
  readonly seconds: number;
  /** The commit it starts from, by object id; null for a first one. */
  readonly from: string | null;
  /** Further parents: the marks of commits made before it. */
  readonly merge: readonly number[];
  readonly changes: readonly TreeChange[];
}

/** The input of `git fast-import` that makes commits; the ids of all and the tree of the last are printed. */
export function* renderImport(commits: readonly NewCommit[]): Generator<Buffer> {
  for (const [index, { ref, message, seconds, from, merge, changes }] of commits.entries()) {
    const text = Buffer.from(message, "utf8");
    yield Buffer.concat([
      Buffer.from(`commit ${ref}\nmark :${index + 1}\ncommitter ${IDENTITY} ${seconds} +0000\ndata ${text.length}\n`),
      text,
      Buffer.from(
        ["", from === null ? null : `from ${from}`, ...merge.map((mark) => `merge :${mark}`), ""]
          .filter((line) => line !== null)
          .join("\n"),
      ),
    ]);
    for (const change of changes) {
      if (change.mode === null) yield Buffer.from(`D ${quote(change.path)}\n`, "latin1");
      else {
        const bytes = change.bytes();
        yield Buffer.from(`M ${change.mode} inline ${quote(change.path)}\ndata ${bytes.length}\n`, "latin1");
        yield bytes;
        yield LINE;
      }
    }
    yield LINE;
  }
  for (const index of commits.keys()) yield Buffer.from(`get-mark :${index + 1}\n`);
  yield Buffer.from(`ls :${commits.length} ""\ndone\n`);
}

/** Nobody's name, so that a checkpoint needs no configured identity and shows who made it. */
export const IDENTITY = "agent-checkpoint <agent-checkpoint@localhost>";
const LINE = Buffer.from("\n");

function quote(path: BytePath): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/** What `git fast-import` has made: the ids of the commits, and the tree of the last one, where it tells. */
export interface Imported {
  readonly oids: readonly string[];
  readonly tree: string | null;
}

/** Reads what `renderImport` lets git print. */
export function parseImported(output: string): Imported {
  const lines = output.trim().split("\n");
  const tree = /^040000 tree ([0-9a-f]+)\s*$/.exec(lines.pop() ?? "")?.[1] ?? null;
  return { oids: lines, tree };
}
