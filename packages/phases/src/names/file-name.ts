import { COMMAND_NAMES, type CommandName } from "../commands.ts";
import { decodeFeature, encodeFeature } from "./encode-feature.ts";

/** A command, for a feature or without one: what has a checkpoint of its own. */
export interface CheckpointKey {
  readonly command: CommandName;
  readonly feature: string | null;
}

/** The name of a checkpoint's file. */
export function fileName({ command, feature }: CheckpointKey): string {
  return `${command}-${feature === null ? "checkpoint" : encodeFeature(feature)}.json`;
}

/** What a file of that name is the checkpoint of; null for any other file. */
export function parseFileName(name: string): CheckpointKey | null {
  const [, command, rest] = /^([a-z]+)-(.+)\.json$/s.exec(name) ?? [];
  const known = COMMAND_NAMES.find((each) => each === command);
  if (known === undefined || rest === undefined) return null;
  if (rest === "checkpoint") return { command: known, feature: null };
  const feature = decodeFeature(rest);
  return feature === null ? null : { command: known, feature };
}
