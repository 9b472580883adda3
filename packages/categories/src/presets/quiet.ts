import type { Rules } from "../types.ts";
import { ALL_CHECKS } from "./all-checks.ts";

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
