import type { CheckpointKey } from "./file-name.ts";

/** A command and its feature in words. */
export function describeKey({ command, feature }: CheckpointKey): string {
  return feature === null ? `\`${command}\`` : `\`${command}\` for ${JSON.stringify(feature.slice(0, 80))}`;
}
