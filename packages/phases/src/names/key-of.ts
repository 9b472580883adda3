import { checkCommand } from "./check-command.ts";
import { checkFeature, encodeFeature } from "./encode-feature.ts";
import type { CheckpointKey } from "./file-name.ts";

/** A checkpoint's key from what a caller gave. */
export function keyOf(command: unknown, feature: unknown): CheckpointKey {
  checkCommand(command);
  if (feature === undefined || feature === null) return { command, feature: null };
  encodeFeature(feature);
  return { command, feature: checkFeature(feature) };
}
