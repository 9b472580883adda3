import { fileURLToPath } from "node:url";

/** Where the sources of each public entry of our packages begin: tests run on them, and programs are bundled from them. */
const ENTRIES = {
  transcript: "transcript/src/index.ts",
  "transcript/reading": "transcript/src/reading.ts",
  categories: "categories/src/index.ts",
  "categories/defaults": "categories/src/defaults.ts",
  heuristics: "heuristics/src/index.ts",
  composer: "composer/src/index.ts",
  "composer/baseline": "composer/src/session/take-baseline.ts",
  "composer/git": "composer/src/git/list-changed-files.ts",
  "composer/rules": "composer/src/rules.ts",
  "composer/texts": "composer/src/message/texts.ts",
  store: "store/src/index.ts",
  "store/files": "store/src/files.ts",
  gate: "gate/src/index.ts",
  "gate/note-prompt": "gate/src/note-prompt.ts",
  "gate/pass-young": "gate/src/pass-young.ts",
  "gate/recording": "gate/src/recording.ts",
  "gate/stop-row": "gate/src/stop-row.ts",
  "agent-settings": "agent-settings/src/index.ts",
  direct: "direct/src/index.ts",
  "direct/is-autonomous": "direct/src/mode/is-autonomous.ts",
  "direct/threshold": "direct/src/threshold.ts",
  safety: "safety/src/index.ts",
  "safety/gate": "safety/src/gate/judge-call.ts",
  handoff: "handoff/src/index.ts",
  phases: "phases/src/index.ts",
  "phases/commands": "phases/src/commands.ts",
  "node-version": "node-version/src/index.ts",
  redaction: "redaction/src/index.ts",
  reports: "reports/src/index.ts",
  repository: "repository/src/index.ts",
} as const satisfies Readonly<Record<string, string>>;

/** The file behind each name that a package of ours is imported by. */
export const SOURCE_ENTRIES: readonly { readonly name: string; readonly file: string }[] = Object.entries(ENTRIES).map(
  ([name, path]) => ({
    name: `@agent-checkpoint/${name}`,
    file: fileURLToPath(new URL(`../packages/${path}`, import.meta.url)),
  }),
);
