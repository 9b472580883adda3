#!/usr/bin/env node
// The repository's commands, from a fresh clone, on a machine with only Node >= 20, npm and git.
// Installs with the pinned pnpm, builds with turbo, then runs the command on a Node the libraries work with.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pnpmVersion = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager;
const [command = "help", ...rest] = process.argv.slice(2);

const BENCHMARKS = {
  hook: { says: "Measuring the hook beside bare node, git and its alternatives", script: "bench/hook.ts" },
  dashboard: { says: "Measuring the dashboard's page with 100,000 stops on record", script: "bench/dashboard.ts" },
  team: { says: "Measuring the team's service and its page with ten million stops", script: "bench/team.ts" },
  transcript: {
    says: "Measuring how long a transcript takes to read, by its size",
    script: "packages/transcript/scripts/bench.ts",
  },
  safety: {
    says: "Measuring how long a safety checkpoint takes beside git, in repositories of 1,000, 20,000 and 100,000 files",
    script: "packages/snapshots/scripts/bench.ts",
  },
};

const COMMANDS = {
  build: () => prepare(),
  demo: () => {
    prepare();
    run("node", ["scripts/demo.ts", ...rest]);
  },
  "team:demo": () => {
    prepare();
    run("node", ["scripts/team-demo.ts", ...rest]);
  },
  test: () => {
    prepare();
    say("Running the tests (`npm run test:slow` runs the others)");
    run("vitest", ["run", "--project", "fast", ...rest]);
  },
  "test:slow": () => {
    prepare();
    say(
      "Running the tests that kill, fuzz, crowd and time processes, those of the recipes, and the hook's as an executable",
    );
    run("vitest", ["run", "--project", "slow", "--project", "binary", ...rest]);
  },
  vitest: () => {
    prepare();
    run("vitest", ["run", ...rest]);
  },
  generate: () => {
    prepare();
    say("Writing schemas, generated sources, documents and golden files");
    run("node", ["scripts/generate.ts", ...rest]);
  },
  changeset: () => {
    install();
    run("changeset", rest);
  },
  e2e: () => {
    prepare();
    say("Running the real agents against a scripted model on loopback (the first time downloads them)");
    run("vitest", ["run", "--config", "e2e/vitest.config.ts", ...rest]);
  },
  bench: () => {
    const [part, ...args] = /^[a-z]/.test(rest[0] ?? "") ? rest : ["hook", ...rest];
    const parts = part === "all" ? Object.values(BENCHMARKS) : [BENCHMARKS[part]];
    if (parts.includes(undefined)) {
      console.error(`Unknown benchmark "${part}". Known: ${Object.keys(BENCHMARKS).join(", ")}, all.`);
      process.exit(2);
    }
    prepare();
    for (const { says, script } of parts) {
      say(says);
      run("node", [script, ...args]);
    }
  },
  load: () => {
    prepare();
    say("Stopping 2,000 turns of 500 sessions, 64 processes at once, beside as many of bare node and git");
    process.env.CHECKPOINT_LOAD = "full";
    run("vitest", ["run", "apps/hook-receiver/src/load.sessions.test.ts", ...rest]);
  },
  fuzz: () => {
    prepare();
    say("Fuzzing with more than a hundred thousand cases (about half an hour)");
    run("node", ["scripts/fuzz.ts", ...rest]);
  },
  mutation: () => {
    prepare();
    run("node", ["scripts/mutation/mutation.ts", ...rest]);
  },
  coverage: () => {
    prepare();
    const packages = ["heuristics", "categories", "transcript"].map((name) => `packages/${name}/src`);
    const included = packages.map((folder) => `--coverage.include=${folder}/**/*.ts`);
    run("vitest", ["run", ...packages, "--coverage", ...included, ...rest]);
  },
  truth: () => {
    prepare();
    run("node", ["scripts/truth.ts", ...rest]);
  },
  audit: () => {
    install();
    say("Asking the registry for known weaknesses of what the packages and our own tools need");
    run("npx", ["--yes", pnpmVersion, "audit", ...rest]);
  },
  check: () => {
    prepare();
    say("Checking format");
    run("oxfmt", ["--check"]);
    lint();
    types();
    say("Looking for unused files, exports and dependencies");
    run("knip", []);
    say("Checking the packages as they would be published");
    run("node", ["scripts/check-packed.ts"]);
    say("Running all tests");
    run("vitest", ["run"]);
  },
  format: () => {
    install();
    run("oxfmt", rest);
  },
  lint: () => {
    prepare();
    lint();
  },
  types: () => {
    prepare();
    types();
  },
  sizes: () => {
    install();
    run("node", ["scripts/sizes.ts", ...rest]);
  },
  "release:version": () => {
    install();
    run("changeset", ["version"]);
    run("node", ["packages/agents/scripts/write-plugins.ts"]);
    run("npx", ["--yes", pnpmVersion, "install", "--lockfile-only"]);
  },
  "release:publish": () => {
    prepare();
    run("changeset", ["publish"]);
  },
};

const task = COMMANDS[command];
if (!task) {
  console.error(`Unknown command "${command}". Known: ${Object.keys(COMMANDS).join(", ")}.`);
  process.exit(2);
}
task();

function lint() {
  say("Linting, with types");
  run("oxlint", ["--type-aware", "--deny-warnings"]);
}

function types() {
  say("Checking types");
  run("tsc", ["-p", "tsconfig.json"]);
}

function prepare() {
  install();
  say("Building all packages");
  run("turbo", ["run", "build", "binary", "--output-logs=errors-only", "--no-update-notifier"]);
}

/** Skipped while lockfile and manifests are those of the last successful install. */
function install() {
  const stamp = join(root, "node_modules", ".agent-checkpoint-install");
  const wanted = manifestsDigest();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say(`Installing dependencies with ${pnpmVersion} (the first time takes a minute)`);
  const frozen = process.env.CI || existsSync(join(root, "pnpm-lock.yaml")) ? ["--frozen-lockfile"] : [];
  run("npx", ["--yes", pnpmVersion, "install", "--reporter=append-only", ...frozen]);
  writeFileSync(stamp, wanted);
}

function manifestsDigest() {
  const hash = createHash("sha256").update(process.version);
  const files = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"];
  for (const group of ["packages", "apps", "tools"]) {
    for (const name of existsSync(join(root, group)) ? readdirSync(join(root, group)).sort() : [])
      files.push(join(group, name, "package.json"));
  }
  files.push(join("fixtures", "package.json"), join("e2e", "package.json"));
  for (const file of files) if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function run(program, args) {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    env: environment(),
    shell: process.platform === "win32",
  });
  if (result.error) {
    console.error(`Could not start ${program}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** The machine's own Node where it is new enough, else the pinned one that came with the dependencies. */
function environment() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const isOld = major < 22 || (major === 22 && minor < 15);
  const bins = [join(root, "node_modules", ".bin")];
  if (isOld) bins.unshift(join(root, "tools", "node", "node_modules", "node", "bin"));
  return {
    ...process.env,
    PATH: [...bins, process.env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
}

function say(what) {
  console.log(`\n▸ ${what} …`);
}
