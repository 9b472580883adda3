import type { Action, Category, Rules } from "../types.ts";
import { ALL_CHECKS } from "./quiet.ts";

const CATEGORIES = [
  {
    id: "telec-setup",
    label: "telec setup",
    include: [
      "teleclaude/project_setup/**",
      "templates/ai.instrukt.teleclaude.docs-watch.plist",
      "templates/teleclaude-docs-watch.service",
      "templates/teleclaude-docs-watch.path",
      ".pre-commit-config.yaml",
      ".gitattributes",
      ".husky/pre-commit",
    ],
    action: "telec-init",
    tests: ["**/*.py"],
  },
  {
    id: "dependencies",
    label: "dependencies",
    plural: true,
    include: ["pyproject.toml", "requirements*.txt"],
    action: "install-dependencies",
    tests: false,
  },
  {
    id: "daemon-code",
    label: "daemon code",
    include: ["teleclaude/**/*.py"],
    exclude: ["teleclaude/hooks/**", "teleclaude/cli/tui/**"],
    action: "restart-daemon",
    tests: true,
  },
  { id: "config", label: "config", include: ["config.yml"], action: "restart-daemon", tests: false },
  { id: "tui-code", label: "TUI code", include: ["teleclaude/cli/tui/**"], action: "reload-tui", tests: true },
  {
    id: "agent-artifacts",
    label: "agent artifacts",
    plural: true,
    include: ["agents/**", ".agents/**", "**/AGENTS.master.md"],
    action: "restart-agents",
    tests: false,
  },
  // A hook is a fresh process per call: the next one already runs the new code.
  { id: "hook-runtime", label: "hook runtime code", include: ["teleclaude/hooks/**"], action: null, tests: true },
  {
    id: "tests-only",
    label: "tests",
    plural: true,
    include: ["tests/**/*.py"],
    action: null,
    tests: true,
    alone: { label: "tests only", instruction: "Run targeted tests for changed behavior before commit" },
  },
] as const satisfies readonly Category[];

const ACTIONS = [
  {
    id: "telec-init",
    stage: "prepare",
    instruction: "Run `telec init` (setup changed: watchers, hook installers, or git filters)",
    steps: [{ run: "telec init", evidence: ["telec init"] }],
  },
  {
    id: "install-dependencies",
    stage: "prepare",
    instruction: "Install updated dependencies: `pip install -e .`",
    steps: [{ run: "pip install -e .", evidence: ["pip install", "uv sync", "uv pip install"] }],
  },
  {
    id: "restart-daemon",
    stage: "prepare",
    instruction: "Run `make restart` then `make status`",
    steps: [
      { run: "make restart", evidence: ["make restart"] },
      { run: "make status", evidence: ["make status"] },
    ],
  },
  {
    id: "reload-tui",
    stage: "prepare",
    instruction: "Run `pkill -SIGUSR2 -f -- '-m teleclaude.cli.telec$'`",
    steps: [{ run: "pkill -SIGUSR2", evidence: ["pkill -SIGUSR2", "kill -USR2"] }],
  },
  {
    id: "restart-agents",
    stage: "prepare",
    instruction: "Run agent-restart to reload artifacts",
    steps: [{ run: "agent-restart", evidence: ["agent-restart"] }],
  },
  {
    id: "check-logs",
    stage: "observe",
    instruction: "Run `instrukt-ai-logs teleclaude --since {window}` and check for errors",
    steps: [{ run: "instrukt-ai-logs", evidence: ["instrukt-ai-logs"] }],
  },
  {
    id: "tests",
    stage: "validate",
    instruction: "Run targeted tests for changed behavior",
    steps: [{ run: "pytest", evidence: ["pytest", "make test"] }],
  },
] as const satisfies readonly Action[];

/** The rules of the TeleClaude repository: they block at every stop. */
export const TELECLAUDE: Rules = {
  preset: "teleclaude",
  categories: CATEGORIES,
  actions: ACTIONS,
  docs: ["docs/**", "todos/**", "ideas/**", "**/*.md"],
  baseline: ["check-logs"],
  checks: ALL_CHECKS,
  modes: {},
  noise: "suggest",
  timerSeconds: 30,
  captureOnly: "deliver",
  allClear: "deliver",
  unchanged: "deliver",
  withoutGit: "deliver",
  hygieneBlocks: true,
  commitStep: true,
  captureReminder: true,
  untracked: true,
  scope: "tree",
  keepDays: 90,
};
