import { openObjects } from "@agent-checkpoint/git";
import { scanContents } from "@agent-checkpoint/redaction/scan";
import type { Earlier } from "../kinds/kind.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, parentOf } from "../paths/byte-path.ts";
import type { ObjectWriter, TreeChange } from "../store/object-writer.ts";
import type { Changes, WorkTree } from "./read-changes.ts";

export interface EarlierRequest {
  readonly changes: Changes;
  readonly entries: readonly Entry[];
  /** Paths inside other repositories, of which this one knows nothing. */
  readonly nested: ReadonlySet<BytePath>;
  readonly writer: ObjectWriter;
}

/**
 * The captured paths that the index or HEAD has otherwise, with their contents in the store: what makes a commit a stash.
 * Of a path that was left out nothing is taken, nor a staged content with a secret in it.
 */
export async function earlierStates(
  tree: WorkTree,
  { changes, entries, nested, writer }: EarlierRequest,
): Promise<{ readonly earlier: ReadonlyMap<BytePath, Earlier> | null; readonly assumptions: readonly string[] }> {
  if (changes.head === null) return { earlier: null, assumptions: [NO_COMMIT] };
  const captured = new Map(entries.map((entry) => [entry.path, entry]));
  const staged = new Map(changes.staged.map((change) => [change.path, change]));
  const unstaged = new Map(changes.unstaged.map((change) => [change.path, change]));
  const folders = new Set(entries.flatMap(({ path, type }) => (type === "absent" ? [] : foldersOf(path))));
  const reader = openObjects(tree.gitDir);
  const stored = new Map<string, string | null>();
  let bytes = 0;
  /** The id in the store of a content of the user's; null if it is not taken. */
  const take = async (oid: string, isCommitted: boolean): Promise<string | null> => {
    const known = stored.get(oid);
    if (known !== undefined) return known;
    const parts: Buffer[] = [];
    const isRead = (await reader.read(oid, (part) => parts.push(part))) === "blob";
    const content = Buffer.concat(parts);
    bytes += content.length;
    const isTaken =
      isRead && bytes <= MAX_BYTES && (isCommitted || (await scanContents([{ path: oid, bytes: content }])).size === 0);
    const id = isTaken ? await writer.add(content) : null;
    stored.set(oid, id);
    return id;
  };
  const stateOf = async (
    path: BytePath,
    mode: string,
    oid: string,
    isCommitted: boolean,
  ): Promise<TreeChange | null> => {
    if (mode === ABSENT) return { path, mode: null, oid: "" };
    const known = MODES.find((each) => each === mode);
    const id = known === undefined ? null : await take(oid, isCommitted);
    return known === undefined || id === null ? null : { path, mode: known, oid: id };
  };
  const earlier = new Map<BytePath, Earlier>();
  try {
    for (const path of new Set([...staged.keys(), ...unstaged.keys(), ...changes.untracked])) {
      const entry = captured.get(path);
      const isInTheWay = folders.has(path) || foldersOf(path).some((folder) => isLeaf(captured.get(folder)));
      if (entry === undefined || entry.type === "directory" || nested.has(path) || isInTheWay) continue;
      const inIndex = unstaged.get(path);
      const inHead = staged.get(path);
      if ([inIndex?.letter, inHead?.letter].includes("U")) continue;
      const isKnown = inIndex !== undefined || inHead !== undefined;
      const index = !isKnown
        ? { path, mode: null, oid: "" }
        : inIndex === undefined
          ? changeOf(entry)
          : await stateOf(path, inIndex.oldMode, inIndex.oldOid, inHead === undefined);
      const head = inHead === undefined ? index : await stateOf(path, inHead.oldMode, inHead.oldOid, true);
      if (index !== null && head !== null) earlier.set(path, { index, head });
    }
  } finally {
    reader.close();
  }
  const isUnmerged = [...changes.staged, ...changes.unstaged].some(({ letter }) => letter === "U");
  return {
    earlier,
    assumptions: [...(isUnmerged ? [UNMERGED] : []), ...(bytes > MAX_BYTES ? [TOO_LARGE] : [])],
  };
}

const NO_COMMIT = "HEAD has no commit yet, so a stash is impossible: the files in scope are a commit without parents.";
const UNMERGED =
  "The index has unmerged paths, which a stash cannot hold: in the commit they are as on the disk, in its index too.";
const TOO_LARGE = "The staged and committed versions of the changed files are too large for the commit's parents.";
const MAX_BYTES = 256 * 1024 * 1024;
const ABSENT = "000000";
const MODES = ["100644", "100755", "120000"] as const;

function isLeaf(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.type !== "directory" && entry.type !== "absent";
}

function foldersOf(path: BytePath): readonly BytePath[] {
  const found: BytePath[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) found.push(folder);
  return found;
}

/** What an entry is in the tree of a commit; null for what a tree does not hold. */
export function changeOf({ path, type, mode, oid }: Entry): TreeChange {
  if (oid === null) return { path, mode: null, oid: "" };
  if (type === "link") return { path, mode: "120000", oid };
  return { path, mode: type === "file" && (mode & 0o100) !== 0 ? "100755" : "100644", oid };
}
