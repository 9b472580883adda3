import { fileURLToPath } from "node:url";
import { EDITED_FILE } from "../staging/stage-repository.ts";

/** Something that people use at the same places instead, and how it is measured. */
export interface Alternative {
  readonly id: string;
  /** What it is asked. */
  readonly label: string;
  /** The npm package that it comes from; null for the script beside this file. */
  readonly npm: string | null;
  /** The program and its arguments, given the folder that packages are installed in. */
  readonly start: (folder: string) => readonly [program: string, ...args: string[]];
  /** The event on stdin: what comes closest to a stop. */
  readonly event: AlternativeEvent;
  /** The transcripts in MB that it is measured with; it reads them if there are several. */
  readonly megabytes: readonly number[];
  /** What its answer holds. */
  readonly holding: string;
  /** With other events it calls a model, so it is started only without a network. */
  readonly mayCallModel: boolean;
}

/** A stop, or a tool that is about to run. */
export type AlternativeEvent =
  | { readonly type: "stop" }
  | { readonly type: "tool"; readonly tool: string; readonly input: (project: string) => object };

const inNode =
  (script: string, ...args: string[]) =>
  (folder: string): readonly [string, ...string[]] => [process.execPath, `${folder}/node_modules/${script}`, ...args];

const bash = (command: string): AlternativeEvent => ({ type: "tool", tool: "Bash", input: () => ({ command }) });

/** The alternatives, each with the work that comes closest to ours and needs no model. */
export const ALTERNATIVES: readonly Alternative[] = [
  {
    id: "bash-jq",
    label: "bash + jq + git: stop blocked, no test since the prompt",
    npm: null,
    start: () => ["bash", fileURLToPath(new URL("bash-jq-hook.sh", import.meta.url))],
    event: { type: "stop" },
    megabytes: [1, 50],
    holding: '{"decision":"block"',
    mayCallModel: false,
  },
  {
    id: "probity",
    label: "probity: `git commit` denied, no `npm test` in the session",
    npm: "@nizos/probity@1.10.0",
    start: inNode("@nizos/probity/dist/bin.js", "--agent", "claude-code"),
    event: bash("git commit -m done"),
    megabytes: [1, 50],
    holding: '"permissionDecision":"deny"',
    mayCallModel: false,
  },
  {
    id: "tdd-guard",
    label: "tdd-guard: one test added, allowed without a model",
    npm: "tdd-guard@1.7.0",
    start: inNode("tdd-guard/dist/cli/tdd-guard.js"),
    event: {
      type: "tool",
      tool: "Write",
      input: (project) => ({
        file_path: `${project}/src/added.test.ts`,
        content: "test('adds', () => { expect(1 + 1).toBe(2); });\n",
      }),
    },
    megabytes: [1],
    holding: "",
    mayCallModel: true,
  },
  {
    id: "cc-safety-net",
    label: "cc-safety-net: `git reset --hard` denied",
    npm: "cc-safety-net@2.4.5",
    start: inNode("cc-safety-net/dist/bin/cc-safety-net.js", "hook", "--coding-cli"),
    event: bash("git reset --hard HEAD~1"),
    megabytes: [1],
    holding: '"permissionDecision":"deny"',
    mayCallModel: false,
  },
  {
    id: "lefthook",
    label: "lefthook: `run pre-commit`, one command on the changed files",
    npm: "lefthook@2.2.2",
    start: (folder) => [
      `${folder}/node_modules/lefthook-${process.platform}-${process.arch}/bin/lefthook`,
      "run",
      "pre-commit",
    ],
    event: { type: "stop" },
    megabytes: [1],
    holding: EDITED_FILE,
    mayCallModel: false,
  },
];

/** The configs that the alternatives find in the repository. */
export const ALTERNATIVE_CONFIGS: Readonly<Record<string, string>> = {
  "probity.config.ts": `import { defineConfig, requireCommand } from "@nizos/probity";
export default defineConfig({
  rules: [requireCommand({ before: { kind: "command", match: /git commit/ }, command: /npm test/, after: { kind: "write" } })],
});
`,
  "lefthook.yml": `pre-commit:
  commands:
    changed:
      files: git diff --name-only HEAD
      glob: "*.ts"
      run: echo {files}
`,
};
