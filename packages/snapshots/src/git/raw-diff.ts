import type { BytePath } from "../paths/byte-path.ts";

/** One row of git's raw output: what a path was and what it is. */
export interface RawChange {
  readonly path: BytePath;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
  /** `A`, `D`, `M`, `T`, or `U` where it is unmerged. */
  readonly letter: string;
}

/** The rows of `git diff-index --raw -z` and `git diff-files --raw -z`. */
export function parseRawDiff(output: Buffer): readonly RawChange[] {
  const fields = output.toString("latin1").split("\0");
  const rows: RawChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = "", newMode = "", oldOid = "", newOid = "", letter = ""] = (fields[index] ?? "")
      .slice(1)
      .split(" ");
    rows.push({ path: fields[index + 1] ?? "", oldMode, newMode, oldOid, newOid, letter });
  }
  return rows;
}

/** The fields of an output that ends each with NUL. */
export function parseNames(output: Buffer): readonly BytePath[] {
  const names = output.toString("latin1").split("\0");
  names.pop();
  return names;
}

/** The mode of a submodule in an index. */
export const GITLINK = "160000";
