import type { Rules } from "../types.ts";
import { GENERIC } from "./generic.ts";
import { LANGUAGE_PRESETS } from "./language-rules.ts";
import type { LanguageName } from "./languages.ts";
import { TELECLAUDE } from "./teleclaude.ts";

/** The name of a preset. */
export type PresetName = "teleclaude" | "generic" | LanguageName;

/** The rules that can be named in a config file. */
export const PRESETS: Readonly<Record<PresetName, Rules>> = {
  teleclaude: TELECLAUDE,
  generic: GENERIC,
  ...LANGUAGE_PRESETS,
};

/** The names of the presets. */
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];
