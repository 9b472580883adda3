/** The rules of a repository without a config: for a program that is not to load what reads one. */
export { GENERIC } from "./presets/generic.ts";
export { TELECLAUDE } from "./presets/teleclaude.ts";
export { SAVE_DEFAULTS } from "./save-rules.ts";
