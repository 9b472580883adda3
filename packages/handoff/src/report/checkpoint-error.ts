/** What kind of trouble a call ran into. */
export type FaultCode =
  /** A command, feature or phase that cannot be one. */
  | "bad-name"
  /** A document, a patch or a message of the wrong shape. */
  | "invalid"
  /** A summary or a document over its limit. */
  | "too-long"
  /** A step that a phase may not take. */
  | "bad-step"
  /** There is no checkpoint to work on. */
  | "no-checkpoint"
  /** A file that holds no checkpoint; it has been kept aside. */
  | "corrupt"
  /** A file of another feature, or of a newer version of this program. */
  | "not-ours"
  /** Somebody else has saved in the meantime. */
  | "conflict"
  /** Another process holds the lock. */
  | "locked"
  /** There is no folder to keep state in, or it leads out of the project. */
  | "no-folder"
  /** The system failed: no space, no permission, or a bug. */
  | "failed";

/** Trouble by its kind, in words for the one who reads the log. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
}

/** A fault on its way to the edge, where it becomes a line of the log and a default. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
