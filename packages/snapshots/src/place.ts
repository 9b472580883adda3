import { hash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { peekWorkTree, readWorkTree, type WorkTree } from "@agent-checkpoint/git";
import type { Manifest } from "./manifest.ts";
import { type BytePath, isInside, toBytePath } from "./paths.ts";
import { OWN_FOLDERS } from "./scope.ts";
import type { StateAdapter } from "./state-adapter.ts";
import { refuseOtherTypes, SafetyError, type Shape } from "./trouble.ts";

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

/** The context of every call: place, session and callbacks. */
export interface SafetyOptions extends PlaceOptions {
  /** The words that start the program, for the commands that are printed; by default `checkpoint`. */
  readonly program?: readonly string[];
  /** The agent's session, if there is one. */
  readonly session?: string | null;
  readonly limits?: Partial<Limits>;
  readonly now?: () => Date;
  readonly progress?: ReportProgress;
  /** Called between steps, so that a test can end the process there. */
  readonly step?: (name: string) => void;
  /** How long another process may hold the store. */
  readonly lockWaitMs?: number;
  /** After how many days the snapshot that undoes a restore expires; by default 30. */
  readonly undoDays?: number;
  /** The command line for the audit; none is written without it. */
  readonly auditAs?: string | undefined;
  /** Where `state:` keys live; by default our own store in `home`. */
  readonly state?: StateAdapter;
  /** The variables that database programs are started with; by default this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long to wait for other connections to a database before it is restored. */
  readonly databaseWaitMs?: number;
}

/** The options with everything filled in. */
export type Context = Required<Omit<SafetyOptions, keyof PlaceOptions | "auditAs" | "limits" | "state">> & {
  readonly place: Place;
  readonly limits: Limits;
  /** The folder of our own store, the default place of state keys. */
  readonly home: string;
  readonly state: StateAdapter | null;
};

/** Finds the place of a call, and fills in what was not given. */
export async function contextOf(options: SafetyOptions): Promise<Context> {
  refuseOptions(options);
  return {
    place: await findPlace(options),
    program: options.program ?? ["checkpoint"],
    session: options.session ?? null,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    now: options.now ?? (() => new Date()),
    progress: options.progress ?? (() => undefined),
    step: options.step ?? (() => undefined),
    lockWaitMs: options.lockWaitMs ?? 30_000,
    undoDays: options.undoDays ?? 30,
    home: options.home,
    state: options.state ?? null,
    env: options.env ?? process.env,
    databaseWaitMs: options.databaseWaitMs ?? 10_000,
  };
}

/** Refuses options that a program without types has mixed up. */
export function refuseOptions(options: SafetyOptions): void {
  refuseOtherTypes("options", options, OPTIONS);
  refuseOtherTypes("limits", options.limits ?? {}, LIMITS);
}

/** The types of all options, of every call. */
const OPTIONS = {
  ...eachOf("string", "cwd home userHome"),
  ...eachOf("string?", "root store session auditAs level"),
  ...eachOf("list?", "program liveSessions"),
  ...eachOf("function?", "now progress step"),
  ...eachOf("number?", "lockWaitMs undoDays databaseWaitMs youngMs"),
  ...eachOf("boolean?", "everyRoot isPinned apply"),
  ...eachOf("object?", "state env limits"),
};
const LIMITS = eachOf("number?", "fileBytes totalBytes files millis scanBytes");

function eachOf(type: Shape[string], names: string): Shape {
  return Object.fromEntries(names.split(" ").map((name) => [name, type]));
}

/** How much a checkpoint takes at most; what does not fit is listed as skipped. */
export interface Limits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  readonly millis: number;
  /** How much of a file is searched for secrets. */
  readonly scanBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  fileBytes: 100 * 1024 * 1024,
  totalBytes: 4 * 1024 * 1024 * 1024,
  files: 500_000,
  millis: 10 * 60_000,
  scanBytes: 1024 * 1024,
};

/** How far a long step has come. */
export interface Progress {
  readonly step: "reading" | "drilling" | "verifying" | "restoring";
  readonly done: number;
  readonly total: number;
}

export type ReportProgress = (progress: Progress) => void;

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
  const peeked = peekWorkTree(asked ?? cwd);
  const reading = peeked === null ? await readWorkTree(asked ?? cwd) : { ok: true as const, workTree: peeked };
  const around = reading.ok ? reading.workTree : null;
  const tree = asked !== null && asked !== around?.root ? null : around;
  const root = asked ?? tree?.root ?? cwd;
  refuseUnsafeRoot(root, options.userHome);
  const folder = options.store === undefined ? defaultStore(root, around, options.home) : resolve(cwd, options.store);
  const avoid = new Set(OWN_FOLDERS.map((name) => toBytePath(name)));
  if (isInside(folder, root)) avoid.add(toBytePath(relative(root, folder)));
  return {
    cwd,
    root,
    tree,
    workTree: tree === null ? null : relative(tree.commonDir, realFolder(tree.gitDir)),
    noGit: reading.ok ? null : reading.detail,
    layout: layoutOf(folder),
    isDefaultStore: tree !== null && folder === join(tree.commonDir, "agent-checkpoint"),
    avoid,
  };
}

/** Whether a snapshot is of this place, also if the project had another name then. */
export function isOfPlace(manifest: Pick<Manifest, "root" | "workTree">, { root, workTree }: Place): boolean {
  return manifest.root === root || (manifest.workTree === workTree && !existsSync(manifest.root));
}

/** In the folder that all work trees share, which `git clean` and `git worktree remove` leave alone. */
function defaultStore(root: string, tree: WorkTree | null, home: string): string {
  if (tree !== null) return join(tree.commonDir, "agent-checkpoint");
  const stores = join(home, "snapshots");
  const own = join(stores, nameOfRoot(root));
  if (existsSync(own) || !existsSync(join(root, STORE_NAME))) return own;
  // A folder that was renamed says itself where its store is.
  const name = readFileSync(join(root, STORE_NAME), "utf8").trim();
  return /^[0-9a-f]{32}$/.test(name) && existsSync(join(stores, name)) ? join(stores, name) : own;
}

/** Where a workspace without git has the name of its store. */
export const STORE_NAME = ".checkpoints/store";

/** A file name for what belongs to one root. */
export function nameOfRoot(root: string): string {
  return hash("sha256", root).slice(0, 32);
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new SafetyError("bad-input", `There is no folder \`${path}\`.`);
  }
}

function refuseUnsafeRoot(root: string, userHome: string): void {
  const home = existsSync(userHome) ? realpathSync(userHome) : resolve(userHome);
  if (root !== "/" && !isInside(home, root)) return;
  const around = home === root ? "a home folder" : "a folder around a home folder";
  const what = root === "/" ? "the root of the disk" : around;
  throw new SafetyError(
    "unsafe-root",
    `\`${root}\` is ${what}; it is never captured.`,
    "Start in a project folder, or give --root.",
  );
}

/** Where things lie in a store. */
export interface StoreLayout {
  readonly folder: string;
  readonly lock: string;
  /** The bare repository with a commit and a ref per snapshot. */
  readonly repository: string;
  /** The folder of the refs: the name of each is the id of a snapshot. */
  readonly refs: string;
  /** What is known of the last capture of each scope, with a private index; may be deleted at any time. */
  readonly indexes: string;
  /** What a running restore is about to do. */
  readonly journals: string;
  /** A mark per pinned snapshot. */
  readonly pins: string;
  /** Half-made things; whatever lies here without a living owner is swept. */
  readonly tmp: string;
  /** What agents, and restores, are known to have written. */
  readonly writes: string;
  /** How many snapshots were ever made: the order of their making, whatever the clock did. */
  readonly counter: string;
}

/** The layout of the store in a folder. */
export function layoutOf(folder: string): StoreLayout {
  const repository = join(folder, "snapshots.git");
  const names = ["lock", "indexes", "journals", "pins", "tmp", "writes", "counter"] as const;
  const paths = Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Record<
    (typeof names)[number],
    string
  >;
  return { folder, repository, refs: join(repository, "refs", "snapshots"), ...paths };
}
