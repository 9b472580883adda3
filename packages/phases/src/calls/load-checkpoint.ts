import type { UnifiedCheckpoint } from "../document/types.ts";
import { describeKey } from "../names/describe-key.ts";
import type { CheckpointKey } from "../names/file-name.ts";
import type { Project } from "../project.ts";
import { holdGate } from "../steps/hold-gate.ts";
import { compareHead, describeHead } from "./compare-head.ts";
import { loadStored } from "./load-stored.ts";

/** Loads a checkpoint, says so where HEAD has moved, and holds its gate against HEAD. */
export function loadCheckpoint(project: Project, key: CheckpointKey): UnifiedCheckpoint | null {
  const checkpoint = loadStored(project, key);
  if (checkpoint === null) return null;
  const comparison = compareHead(project.root, checkpoint);
  const moved = describeHead(checkpoint, comparison);
  if (moved !== null) project.reporter.warn(`The checkpoint of ${describeKey(key)} may be stale: ${moved}`);
  return holdGate(checkpoint, comparison.head);
}
