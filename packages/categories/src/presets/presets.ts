import type { Rules } from "../types.ts";
import { GENERIC } from "./generic.ts";
import { TELECLAUDE } from "./teleclaude.ts";

/** The rules that can be named in a config file. */
export const PRESETS: Readonly<Record<PresetName, Rules>> = { teleclaude: TELECLAUDE, generic: GENERIC };

/** The names of the presets. */
export const PRESET_NAMES = ["teleclaude", "generic"] as const;

/** The name of a preset. */
export type PresetName = (typeof PRESET_NAMES)[number];
