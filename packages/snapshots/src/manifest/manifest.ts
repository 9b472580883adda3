import { createHash } from "node:crypto";
import type { CheckpointType } from "../checkpoint-type.ts";
import type { GitFacts } from "../git/read-changes.ts";
import type { ScopeItem } from "../request/parse-scope.ts";

/** Something in scope that was left out: `excluded` by a rule about secrets, `skipped` for a limit or because it cannot be held. */
export interface Omission {
  /** Encoded by `encodePath`. */
  readonly path: string;
  /** The name of the rule or limit. */
  readonly rule: string;
  readonly reason: string;
}

/** Everything about a checkpoint but the state itself, whose hash is `tree`. */
export interface Manifest {
  readonly version: 2;
  readonly id: string;
  /** The number of the snapshot in the order of their making. */
  readonly sequence: number;
  readonly type: CheckpointType;
  /** Whether it was requested, or taken by a restore for undo. */
  readonly purpose: "asked" | "undo";
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly reason: string;
  readonly session: string | null;
  readonly root: string;
  /** The name of the work tree in its repository, which stays if the project is renamed; null without one. */
  readonly workTree: string | null;
  readonly scope: readonly ScopeItem[];
  /** `sha256:` and the hash of the canonical stream. */
  readonly tree: string;
  readonly counts: Counts;
  readonly summary: string;
  readonly confidence: number;
  readonly assumptions: readonly string[];
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  /** What git ignored in scope, encoded; a folder stands for all that is in it. A restore never removes it. */
  readonly ignored: readonly string[];
  readonly restoreCommand: string;
  readonly drill: { readonly entries: number; readonly provenBefore: number };
  readonly git: GitFacts | null;
  /** What a kind of its own needs at restore, such as the name of a database. */
  readonly details: Readonly<Record<string, string>>;
}

/** How much a checkpoint holds. */
export interface Counts {
  readonly entries: number;
  readonly files: number;
  readonly bytes: number;
  readonly uncommitted: number | null;
}

/** A manifest as the store holds it: JSON with a seal over everything else in it. */
export function renderManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, seal: sealOf(manifest) }, null, 2)}\n`;
}

/** The manifest in a text, or null if it was edited or torn. */
export function parseManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("seal" in value)) return null;
  const { seal, ...rest } = value;
  // The seal proves that this very shape was written by renderManifest.
  const manifest = rest as Manifest;
  return seal === sealOf(manifest) && manifest.version === 2 ? manifest : null;
}

function sealOf(manifest: Manifest): string {
  return `sha256:${createHash("sha256").update(JSON.stringify(manifest)).digest("hex")}`;
}
