import type { Entry, LeftOut, Manifest } from "../manifest.ts";
import type { Contents, ObjectWriter } from "../objects.ts";
import type { BytePath } from "../paths.ts";
import type { Context, ReportProgress } from "../place.ts";
import type { ScopeItem } from "../scope.ts";
import type { LastCapture } from "../last-capture.ts";
import type { Earlier } from "./stash-parents.ts";

/**
 * One way of keeping a state. The store, the hash, the manifest, the drill, the journal, expiry and clean-up are the
 * same for all of them; a kind captures what exists, and restores it.
 */
export interface Kind {
  /** Whether its entries are files below the root. */
  readonly isOfFiles: boolean;
  /** Reads the state of a scope into the store. */
  readonly capture: (request: CaptureRequest, context: Context) => Promise<Capture>;
  /** The state now of what a checkpoint holds, and what has appeared in its scope since. */
  readonly look: (manifest: Manifest, entries: readonly Entry[], context: Context) => Promise<Look>;
  /** Writes entries into `files` of an empty folder with the restore code, and returns what is there then. */
  readonly drill: (request: DrillRequest, context: Context) => Promise<readonly Entry[]>;
  /** The same without anything but the folder, where a drill needs more than that; a checkpoint is written out by it. */
  readonly writeOut?: (request: DrillRequest, context: Context) => Promise<readonly Entry[]>;
  /** Makes the changes of a plan; running it again after it was cut short brings it to its end. */
  readonly apply: (request: ApplyRequest, context: Context) => Promise<void>;
}

export interface CaptureRequest {
  readonly scope: readonly ScopeItem[];
  /** These very paths instead of a scope: what a restore is about to touch. */
  readonly exactly?: readonly BytePath[] | undefined;
  readonly writer: ObjectWriter;
  readonly leaveSecrets: boolean;
}

/** What was captured. */
export interface Capture extends LeftOut {
  /** Everything in scope; if there is a base, what may have changed since, or come. */
  readonly entries: readonly Entry[];
  readonly base?: LastCapture | null;
  /** The entries whose contents were not read: an earlier drill, or a commit of the user's, vouches for them. */
  readonly unread?: ReadonlySet<BytePath>;
  /** What git ignored in scope. */
  readonly ignored?: readonly string[];
  readonly assumptions: readonly string[];
  readonly uncommitted?: number | null;
  /** One line about the capture, and how much it read, for kinds without files to count. */
  readonly summary?: string;
  readonly bytes?: number;
  readonly details?: Readonly<Record<string, string>>;
  /** What is known of the repository; null without one. */
  readonly git?: Manifest["git"];
  /** The captured paths that the index and HEAD have otherwise; null if the commit has no such parents. */
  readonly earlier?: ReadonlyMap<BytePath, Earlier> | null;
  /** Called once the checkpoint exists, to remember what was learnt. */
  readonly remember?: (
    made: Pick<LastCapture, "id" | "tree" | "parents" | "earlier" | "oid" | "counts" | "held" | "text">,
  ) => Promise<void>;
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
