import { CHECK_IDS, type CheckId, type Rules } from "../types.ts";

/** Every check switched on. */
export const ALL_CHECKS = Object.fromEntries(CHECK_IDS.map((id) => [id, true])) as Readonly<Record<CheckId, boolean>>;

/** What the presets share that speak only of what this session changed, and only when something is missing. */
export const QUIET: Omit<Rules, "preset" | "categories" | "actions"> = {
  docs: [
    "docs/**",
    "doc/**",
    "todos/**",
    "ideas/**",
    "**/*.{md,mdx,markdown,rst,adoc,txt,log}",
    "**/{LICENSE,LICENCE,COPYING,NOTICE,AUTHORS,CHANGELOG,CODEOWNERS}*",
    "**/*.{png,jpg,jpeg,gif,svg,webp,ico,pdf}",
    "**/{.gitignore,.gitattributes,.gitkeep,.editorconfig,.mailmap,.dockerignore,.npmignore,.prettierignore}",
  ],
  baseline: [],
  checks: ALL_CHECKS,
  modes: {},
  noise: "suggest",
  timerSeconds: 10,
  captureOnly: "silent",
  allClear: "silent",
  unchanged: "silent",
  withoutGit: "silent",
  hygieneBlocks: false,
  commitStep: false,
  captureReminder: false,
  untracked: true,
  scope: "session",
  keepDays: 90,
};
