import type { Rules } from "../types.ts";
import { GENERIC } from "./generic.ts";
import { GO } from "./go.ts";
import { JAVA } from "./java.ts";
import { NODE } from "./node.ts";
import { PYTHON } from "./python.ts";
import { RUBY } from "./ruby.ts";
import { RUST } from "./rust.ts";
import { TELECLAUDE } from "./teleclaude.ts";

/** The names of the presets. */
export const PRESET_NAMES = ["teleclaude", "generic", "node", "python", "rust", "go", "ruby", "java"] as const;

/** The name of a preset. */
export type PresetName = (typeof PRESET_NAMES)[number];

/** The rules that can be named in a config file. */
export const PRESETS: Readonly<Record<PresetName, Rules>> = {
  teleclaude: TELECLAUDE,
  generic: GENERIC,
  node: NODE,
  python: PYTHON,
  rust: RUST,
  go: GO,
  ruby: RUBY,
  java: JAVA,
};
