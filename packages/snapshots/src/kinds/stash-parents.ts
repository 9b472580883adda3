import { openObjects, type WorkTree } from "@agent-checkpoint/git";
import { scanContents } from "@agent-checkpoint/redaction/scan";
import { ABSENT, type Changes, isAsIndexed } from "../git.ts";
import type { Entry } from "../manifest.ts";
import { changeOf, type ObjectWriter, type TreeChange } from "../objects.ts";
import { type BytePath, foldersAbove } from "../paths.ts";

/** A captured path as the index has it, and as HEAD has it. */
export interface Earlier {
  readonly index: TreeChange;
  readonly head: TreeChange;
}

export interface EarlierStates {
  readonly earlier: ReadonlyMap<BytePath, Earlier> | null;
  readonly assumptions: readonly string[];
}

interface Known {
  readonly entries: readonly Entry[];
  readonly nested: ReadonlySet<BytePath>;
  readonly writer: ObjectWriter;
  /** Whether the store has a content of the user's repository, or will have it. */
  readonly isHeld: (oid: string, isCommitted: boolean) => boolean;
}

/**
 * The captured paths that the index or HEAD has otherwise, with their contents in the store: what makes a commit a stash.
 * Of a path that was left out nothing is taken, nor a staged content with a secret in it.
 */
export async function earlierStates(
  tree: WorkTree,
  changes: Changes,
  { entries, nested, writer, isHeld }: Known,
): Promise<EarlierStates> {
  if (changes.head === null) return { earlier: null, assumptions: [NO_COMMIT] };
  const captured = new Map(entries.map((entry) => [entry.path, entry]));
  const staged = new Map(changes.staged.map((change) => [change.path, change]));
  const unstaged = new Map(changes.unstaged.map((change) => [change.path, change]));
  const paths = new Set([...staged.keys(), ...unstaged.keys(), ...changes.untracked]);
  const folders = new Set(entries.flatMap(({ path, type }) => (type === "absent" ? [] : foldersAbove(path))));
  const take = takeFrom(tree, writer, isHeld);
  const earlier = new Map<BytePath, Earlier>();
  try {
    for (const path of paths) {
      const entry = captured.get(path);
      const isInTheWay = folders.has(path) || foldersAbove(path).some((folder) => isLeaf(captured.get(folder)));
      if (entry === undefined || entry.type === "directory" || nested.has(path) || isInTheWay) continue;
      const inHead = staged.get(path);
      const found = unstaged.get(path);
      const inIndex = found !== undefined && isAsIndexed(found, entry) ? undefined : found;
      if ([inIndex?.letter, inHead?.letter].includes("U")) continue;
      if (inIndex === undefined && inHead === undefined && found !== undefined) continue;
      const index =
        inIndex !== undefined
          ? await take.state(path, { mode: inIndex.oldMode, oid: inIndex.oldOid, isCommitted: inHead === undefined })
          : found === undefined && inHead === undefined
            ? { path, mode: null, oid: "" }
            : changeOf(entry);
      const head =
        inHead === undefined
          ? index
          : await take.state(path, { mode: inHead.oldMode, oid: inHead.oldOid, isCommitted: true });
      if (index !== null && head !== null) earlier.set(path, { index, head });
    }
  } finally {
    take.close();
  }
  const isUnmerged = [...changes.staged, ...changes.unstaged].some(({ letter }) => letter === "U");
  return { earlier, assumptions: [...(isUnmerged ? [UNMERGED] : []), ...(take.isFull() ? [TOO_LARGE] : [])] };
}

const NO_COMMIT = "HEAD has no commit yet, so a stash is impossible: the files in scope are a commit without parents.";
const UNMERGED =
  "The index has unmerged paths, which a stash cannot hold: in the commit they are as on the disk, in its index too.";
const TOO_LARGE = "The staged and committed versions of the changed files are too large for the commit's parents.";
const MAX_BYTES = 256 * 1024 * 1024;
const MODES = ["100644", "100755", "120000"] as const;

function isLeaf(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.type !== "directory" && entry.type !== "absent";
}

/** Takes contents of the user's repository into the store. */
function takeFrom({ gitDir }: WorkTree, writer: ObjectWriter, isHeld: Known["isHeld"]) {
  const reader = openObjects(gitDir);
  const stored = new Map<string, string | null>();
  let bytes = 0;
  /** The id in the store of a content; null if it is not taken. What is committed is no secret of the index alone. */
  const store = async (oid: string, isCommitted: boolean): Promise<string | null> => {
    const parts: Buffer[] = [];
    const isRead = (await reader.read(oid, (part) => parts.push(part))) === "blob";
    const content = Buffer.concat(parts);
    bytes += content.length;
    if (!isRead || bytes > MAX_BYTES) return null;
    const isSecret = !isCommitted && (await scanContents([{ path: oid, bytes: content }])).size > 0;
    return isSecret ? null : writer.add(content);
  };
  return {
    state: async (
      path: BytePath,
      { mode, oid, isCommitted }: { readonly mode: string; readonly oid: string; readonly isCommitted: boolean },
    ): Promise<TreeChange | null> => {
      if (mode === ABSENT) return { path, mode: null, oid: "" };
      const known = MODES.find((each) => each === mode);
      if (known === undefined) return null;
      const id = isHeld(oid, isCommitted) ? oid : (stored.get(oid) ?? (await store(oid, isCommitted)));
      stored.set(oid, id);
      return id === null ? null : { path, mode: known, oid: id };
    },
    isFull: () => bytes > MAX_BYTES,
    close: reader.close,
  };
}
