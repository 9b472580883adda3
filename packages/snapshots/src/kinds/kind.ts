import type { CheckpointType } from "../checkpoint-type.ts";
import type { GitFacts } from "../git/read-changes.ts";
import type { Limits, ReportProgress } from "../context.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Manifest, Omission } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import type { Contents } from "../store/contents.ts";
import type { ObjectWriter, TreeChange } from "../store/object-writer.ts";
import type { StateAdapter } from "../state/state-adapter.ts";

/**
 * One way of keeping a state. The store, the hash, the manifest, the drill, the journal, expiry and clean-up are the
 * same for all of them; a kind captures what exists, and restores it.
 */
export interface Kind {
  readonly type: CheckpointType;
  /** Whether its entries are files below the root. */
  readonly isOfFiles: boolean;
  /** Reads the state of a scope into the store. */
  readonly capture: (request: CaptureRequest) => Promise<Capture>;
  /** The state now of what a checkpoint holds, and what has appeared in its scope since. */
  readonly look: (request: LookRequest) => Promise<Look>;
  /** Writes entries into an empty folder with the restore code, and returns what is there then. */
  readonly drill: (request: DrillRequest) => Promise<readonly Entry[]>;
  /** The same without anything but the folder, where a drill needs more than that; a checkpoint is written out by it. */
  readonly writeOut?: (request: DrillRequest) => Promise<readonly Entry[]>;
  /** Makes the changes of a plan; running it again after it was cut short brings it to its end. */
  readonly apply: (request: ApplyRequest) => Promise<void>;
}

export interface CaptureRequest {
  readonly place: Place;
  readonly scope: readonly ScopeItem[];
  /** These very paths instead of a scope: what a restore is about to touch. */
  readonly exactly?: readonly BytePath[];
  readonly limits: Limits;
  readonly writer: ObjectWriter;
  readonly leaveSecrets: boolean;
  readonly progress: ReportProgress;
}

/** What was captured. */
export interface Capture {
  readonly entries: readonly Entry[];
  /** The entries whose contents were not read: an earlier drill, or a commit of the user's, vouches for them. */
  readonly unread: ReadonlySet<BytePath>;
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  /** What git ignored in scope. */
  readonly ignored?: readonly string[];
  readonly assumptions: readonly string[];
  readonly bytes: number;
  readonly uncommitted: number | null;
  /** One line about the capture, for kinds without files to count. */
  readonly summary?: string;
  readonly details: Readonly<Record<string, string>>;
  /** What is known of the repository; null without one. */
  readonly git: GitFacts | null;
  /** The captured paths that the index and HEAD have otherwise; null if the commit has no such parents. */
  readonly earlier: ReadonlyMap<BytePath, Earlier> | null;
  /** Called once the checkpoint exists, to remember what was learnt. */
  readonly remember: () => Promise<void>;
}

/** A captured path as the index has it, and as HEAD has it. */
export interface Earlier {
  readonly index: TreeChange;
  readonly head: TreeChange;
}

/** What a capture of anything but files leaves open. */
export const NOT_FILES: Pick<Capture, "unread" | "uncommitted" | "git" | "earlier" | "remember"> = {
  unread: new Set<BytePath>(),
  uncommitted: null,
  git: null,
  earlier: null,
  remember: async () => undefined,
};

export interface LookRequest {
  readonly place: Place;
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

/** The state now. */
export interface Look {
  /** One for every entry asked about, in the same order. */
  readonly now: readonly Entry[];
  /** What is in the scope now and was not then. */
  readonly appeared: readonly Entry[];
}

export interface DrillRequest {
  readonly folder: string;
  readonly entries: readonly Entry[];
  readonly contents: Contents;
  readonly progress: ReportProgress;
}

/** One change of a plan: what is there now, and what shall be. */
export interface Change {
  readonly from: Entry;
  readonly to: Entry;
}

export interface ApplyRequest {
  readonly root: string;
  readonly changes: readonly Change[];
  readonly contents: Contents;
  /** A folder of this restore's own, for what is not in its place yet. */
  readonly staging: string;
  /** Whether contents are flushed to the disk before they get their names. */
  readonly isDurable: boolean;
  readonly progress: ReportProgress;
  /** Called between steps, so that a test can end the process there. */
  readonly step: (name: string) => void;
  /** Whether the changes may have been made in part before. */
  readonly isResumed: boolean;
}

/** What kinds other than files reach their state by. */
export interface Sources {
  /** The folder of our own store, the default place of state keys. */
  readonly home: string;
  readonly state: StateAdapter | null;
  /** The variables that database programs are started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long to wait for other connections to a database before it is restored. */
  readonly databaseWaitMs: number;
}
