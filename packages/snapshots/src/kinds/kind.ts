import type { CheckpointType } from "../checkpoint-type.ts";
import type { GitFacts } from "../git/git-facts.ts";
import type { StashParts } from "../git/repeat-stash-commit.ts";
import type { Limits } from "../limits.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Manifest, Omission } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import type { ReportProgress } from "../progress.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import type { Contents } from "../store/open-contents.ts";
import type { Drafts } from "../store/write-drafts.ts";
import type { PackWriter } from "../store/write-pack.ts";
import type { Begun } from "./begin-by-git.ts";

/**
 * One way of keeping a state. The store, the hash, the manifest, the drill, the journal, expiry and clean-up are the
 * same for all of them; a kind says what there is, and puts it back.
 */
export interface Kind {
  readonly type: CheckpointType;
  /** Whether its entries are files below the root. */
  readonly isOfFiles: boolean;
  /** Asks ahead what a capture of a scope will need, before the store is locked; by default nothing. */
  readonly begin?: (place: Place, scope: readonly ScopeItem[]) => Begun;
  /** Reads the state of a scope into the pack. */
  readonly capture: (request: CaptureRequest) => Promise<Capture>;
  /** What a kind adds once the contents are in the store; by default nothing. */
  readonly complete?: (request: CompleteRequest) => Promise<Completion>;
  /** The state now of what a checkpoint holds, and what has appeared in its scope since. */
  readonly look: (request: LookRequest) => Promise<Look>;
  /** Writes entries into an empty folder by the code of a restore, and tells what is there then. */
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
  /** What was asked ahead. */
  readonly begun?: Begun;
  readonly limits: Limits;
  readonly pack: PackWriter;
  readonly leaveSecrets: boolean;
  readonly progress: ReportProgress;
}

/** What was captured. */
export interface Capture {
  readonly entries: readonly Entry[];
  readonly stateKeys: readonly string[];
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly assumptions: readonly string[];
  readonly lines: number;
  readonly bytes: number;
  readonly uncommitted: number | null;
  /** One line on what was captured, where counting files and lines does not tell. */
  readonly summary?: string;
  readonly details: Readonly<Record<string, string>>;
  /** The tree that an earlier checkpoint has proven, where it looks as if nothing had changed since. */
  readonly proven?: Proven;
  /** Called once the checkpoint exists, to remember what was learnt. */
  readonly remember: (completion: Completion) => void | Promise<void>;
  /** Handed to `complete`. */
  readonly context: unknown;
}

/** A capture that takes over the tree of an earlier one; its entries are read when they are asked for. */
export interface Proven {
  readonly tree: string;
  readonly entries: number;
  readonly files: number;
  /** Whether nothing has changed since, once everybody has been asked: before that no checkpoint may exist. */
  readonly holds: () => Promise<boolean>;
  /** The capture to make where something has. */
  readonly otherwise: () => Promise<Capture>;
}

export interface CompleteRequest {
  readonly place: Place;
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
  readonly capture: Capture;
  readonly contents: Contents;
}

export interface Completion {
  readonly git: GitFacts | null;
  readonly assumptions: readonly string[];
  /** What gets its place only when the capture is certain. */
  readonly drafts?: Drafts;
  /** What the commit can be made of again, where nothing has changed. */
  readonly stash?: StashParts | null;
}

export interface LookRequest {
  readonly place: Place;
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
  readonly limits: Limits;
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
