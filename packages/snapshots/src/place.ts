import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type WorkTree, findWorkTree } from "./git/read-changes.ts";
import { type BytePath, isInside, toBytePath } from "./paths/byte-path.ts";
import { OWN_FOLDERS } from "./request/parse-scope.ts";
import { type StoreLayout, layoutOf, nameOfRoot } from "./store/store-layout.ts";
import { SafetyError } from "./trouble.ts";

/** Where a call happens. */
export interface PlaceOptions {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The folder that is protected; by default the work tree around `cwd`, otherwise `cwd`. */
  readonly root?: string | undefined;
  /** The folder of the store; by default in the repository, otherwise in `home`. */
  readonly store?: string | undefined;
  /** The folder for stores outside a repository: `$CHECKPOINT_HOME`. */
  readonly home: string;
  /** The person's home folder, which is never a root. */
  readonly userHome: string;
}

/** The protected folder, its repository and its store. */
export interface Place {
  readonly cwd: string;
  readonly root: string;
  readonly tree: WorkTree | null;
  /** Why there is no repository; null if there is one. */
  readonly noGit: string | null;
  readonly layout: StoreLayout;
  /** The folder of the work tree in the folder that all share: what stays the same if the project is renamed; null without git. */
  readonly workTree: string | null;
  /** Whether the store is found from the root alone. */
  readonly isDefaultStore: boolean;
  /** Paths below the root that are never captured: our own. */
  readonly avoid: ReadonlySet<BytePath>;
}

/** Finds the place of a call; refuses the root of the disk and a home folder. */
export async function findPlace(options: PlaceOptions): Promise<Place> {
  const cwd = realFolder(resolve(options.cwd));
  const asked = options.root === undefined ? null : realFolder(resolve(cwd, options.root));
  const found = await findWorkTree(asked ?? cwd);
  const tree = "none" in found || (asked !== null && asked !== found.root) ? null : found;
  const root = asked ?? tree?.root ?? cwd;
  refuseUnsafeRoot(root, options.userHome);
  const folder =
    options.store === undefined
      ? defaultStore(root, { tree: "none" in found ? null : found, home: options.home })
      : resolve(cwd, options.store);
  const avoid = new Set(OWN_FOLDERS.map((name) => toBytePath(name)));
  if (isInside(folder, root)) avoid.add(toBytePath(relative(root, folder)));
  const workTree = tree === null ? null : relative(tree.commonDir, realFolder(tree.gitDir));
  const noGit = "none" in found ? found.none : null;
  const isDefaultStore = tree !== null && folder === join(tree.commonDir, "agent-checkpoint");
  return { cwd, root, tree, workTree, noGit, layout: layoutOf(folder), isDefaultStore, avoid };
}

/** Whether a snapshot is of this place, also if the project had another name then. */
export function isOfPlace(
  manifest: { readonly root: string; readonly workTree: string | null },
  { root, workTree }: Pick<Place, "root" | "workTree">,
): boolean {
  return manifest.root === root || (manifest.workTree === workTree && !existsSync(manifest.root));
}

/** In the folder that all work trees share, which `git clean` and `git worktree remove` leave alone. */
function defaultStore(root: string, { tree, home }: { readonly tree: WorkTree | null; readonly home: string }): string {
  if (tree !== null) return join(tree.commonDir, "agent-checkpoint");
  const own = join(home, "snapshots", nameOfRoot(root));
  // A folder that was renamed says itself where its store is.
  return existsSync(own) ? own : (readStoreName(root, join(home, "snapshots")) ?? own);
}

function readStoreName(root: string, stores: string): string | null {
  const path = join(root, STORE_NAME);
  const name = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  return /^[0-9a-f]{32}$/.test(name) && existsSync(join(stores, name)) ? join(stores, name) : null;
}

/** Where a workspace without git has the name of its store. */
export const STORE_NAME = ".checkpoints/store";

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new SafetyError("bad-input", `There is no folder \`${path}\`.`);
  }
}

function refuseUnsafeRoot(root: string, userHome: string): void {
  const home = safeRealpath(userHome);
  if (root !== "/" && !isInside(home, root)) return;
  const what =
    root === "/" ? "the root of the disk" : home === root ? "a home folder" : "a folder around a home folder";
  throw new SafetyError(
    "unsafe-root",
    `\`${root}\` is ${what}; it is never captured.`,
    "Start in a project folder, or give --root.",
  );
}

function safeRealpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
