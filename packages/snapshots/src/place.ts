import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findWorkTree, type WorkTree } from "./git/find-work-tree.ts";
import { type BytePath, toBytePath } from "./paths/byte-path.ts";
import { isInside } from "./paths/is-inside.ts";
import { OWN_FOLDERS } from "./request/parse-scope.ts";
import { layoutOf, type StoreLayout } from "./store/store-layout.ts";
import { SafetyError } from "./trouble.ts";

/** Where a call happens. */
export interface PlaceOptions {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The folder that is protected; by default the work tree around `cwd`, else `cwd`. */
  readonly root?: string | undefined;
  /** The folder of the store; by default in the repository, else in `home`. */
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
  /** Why there is no repository; null where there is one. */
  readonly noGit: string | null;
  readonly layout: StoreLayout;
  /** Paths below the root that are never captured: our own. */
  readonly avoid: ReadonlySet<BytePath>;
}

/** Finds out where a call happens; the root of the disk and a person's home are refused. */
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
  return { cwd, root, tree, noGit: "none" in found ? found.none : null, layout: layoutOf(folder), avoid };
}

/** In the folder that all work trees share, which `git clean` and `git worktree remove` leave alone. */
function defaultStore(root: string, { tree, home }: { readonly tree: WorkTree | null; readonly home: string }): string {
  if (tree !== null) return join(tree.commonDir, "agent-checkpoint");
  return join(home, "snapshots", createHash("sha256").update(root).digest("hex").slice(0, 32));
}

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
