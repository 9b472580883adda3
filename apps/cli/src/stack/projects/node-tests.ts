import { hasFile, pathIn } from "../file-tree.ts";
import { callProgram, callScript, type PackageManager, type PackageManagerName } from "../package-manager.ts";
import { dig, readData, stringOf } from "../read-data.ts";
import type { StackCommand } from "../stack.ts";
import { packageTasks } from "../tasks/package-tasks.ts";
import { commandsOf, isTestTask, startsWith, type Task } from "../tasks/task.ts";
import { firstFiles } from "../walk-files.ts";
import { dependenciesOf, type NodePackage } from "./node-package.ts";

/** Test runners by the package that brings them. */
const RUNNERS: readonly { readonly dependency: string; readonly command: string }[] = [
  { dependency: "vitest", command: "vitest" },
  { dependency: "jest", command: "jest" },
  { dependency: "mocha", command: "mocha" },
  { dependency: "ava", command: "ava" },
  { dependency: "tap", command: "tap" },
  { dependency: "@playwright/test", command: "playwright test" },
  { dependency: "cypress", command: "cypress run" },
  { dependency: "react-scripts", command: "react-scripts test" },
  { dependency: "@angular/cli", command: "ng test" },
];

/** Runners that come with no package. */
const BUILT_IN = ["node --test", "tsx --test", "bun test", "deno test"];

/** A package's test script, with the package it is in. */
interface TestScript extends Task {
  readonly owner: NodePackage;
}

/** How a project's tests are run: by the root's script, else by those of the workspaces; any of them counts, and so do their runners. */
export function nodeTests(packages: readonly NodePackage[], manager: PackageManager): readonly StackCommand[] {
  const scripts = packages.flatMap((owner) =>
    packageTasks(owner.tree, manager.name)
      .filter(isTestTask)
      .map((task): TestScript => ({ ...task, owner })),
  );
  const [root, ...members] = packages;
  if (root === undefined) return [];
  const own = scripts.filter(({ owner }) => owner === root);
  const inner = scripts.filter(({ owner }) => owner !== root);
  const chosen =
    own.find(({ name }) => name === "test") ??
    own[0] ??
    everywhere(root, { inner, members, manager }) ??
    bunTests(root, manager);
  if (chosen === null) return [];
  const evidence = [
    ...chosen.evidence,
    ...scripts.flatMap((script) => script.evidence),
    ...runnersOf(packages, scripts, manager.name),
    ...ownWords(own),
    ...orchestratorsOf(root, manager.name),
    ...(manager.name === "yarn" ? inner.slice(0, MOST_NAMED).flatMap(workspaceCalls) : []),
  ];
  return [{ run: chosen.run, evidence: [...new Set(evidence)], where: chosen.where }];
}

function runnersOf(
  packages: readonly NodePackage[],
  scripts: readonly Task[],
  manager: PackageManagerName,
): readonly string[] {
  const installed = new Set(packages.flatMap(({ tree }) => dependenciesOf(tree)));
  const bodies = scripts.flatMap(({ body }) => commandsOf(body).map(({ argv }) => argv));
  const isNamed = (words: string) => bodies.some((argv) => isCall(argv, words));
  const used = RUNNERS.filter(({ dependency, command }) => installed.has(dependency) || isNamed(command));
  return [...used.flatMap(({ command }) => callProgram(manager, command).evidence), ...BUILT_IN.filter(isNamed)];
}

/** Whether a command is this one, options included. */
function isCall(argv: readonly string[], words: string): boolean {
  const options = words.split(" ").filter((word) => word.startsWith("-"));
  return startsWith(argv, words) && options.every((option) => argv.includes(option));
}

/** A program that a script starts and nobody else knows: `node scripts/test.js`. */
function ownWords(scripts: readonly Task[]): readonly string[] {
  return scripts.flatMap(({ body }) => {
    const [command, ...more] = commandsOf(body);
    const [program = "", file = ""] = command?.argv ?? [];
    const isScript = /^(?:node|tsx|ts-node|bun|deno)$/.test(program) && /^[\w@./-]+\.[cm]?[jt]s$/.test(file);
    return isScript && more.length === 0 ? [(command?.argv ?? []).filter(isPlainWord).join(" ")] : [];
  });
}

function isPlainWord(word: string): boolean {
  return /^[\w@./:=-]+$/.test(word);
}

/** Programs that run the scripts of many packages; turbo takes its tasks in any order, behind `run` or not. */
function orchestratorsOf({ tree }: NodePackage, manager: PackageManagerName): readonly string[] {
  const starts = manager === "pnpm" || manager === "yarn" ? [`${manager} `] : [];
  const turbo = ["turbo test", ...starts.flatMap((start) => [`${start}turbo test`, `${start}turbo run test`])];
  const verbs = ["run-many", "affected"].flatMap((verb) => [`nx ${verb} -t test`, `nx ${verb} --target=test`]);
  const nx = ["", ...starts].flatMap((start) => ["nx test", ...verbs].map((call) => start + call));
  return [...(hasFile(tree, "turbo.json") ? turbo : []), ...(hasFile(tree, "nx.json") ? nx : [])];
}

interface Workspaces {
  readonly inner: readonly TestScript[];
  readonly members: readonly NodePackage[];
  readonly manager: PackageManager;
}

/** How the test scripts of the workspaces are run where the root has none. */
function everywhere({ tree }: NodePackage, { inner, members, manager }: Workspaces): StackCommand | null {
  const script = inner.find(({ name }) => name === "test") ?? inner[0];
  if (script === undefined) return null;
  const { name } = script;
  const where = pathIn(script.owner.folder, script.where);
  if (hasFile(tree, "turbo.json"))
    return { ...callProgram(manager.name, `turbo run ${name}`), where: `turbo.json, ${where}` };
  if (hasFile(tree, "nx.json"))
    return { ...callProgram(manager.name, `nx run-many -t ${name}`), where: `nx.json, ${where}` };
  // Yarn 1 gives up at the first workspace without the script.
  const isInAll = members.every((member) => inner.some((one) => one.owner === member && one.name === name));
  const classic = isInAll ? `yarn workspaces run ${name}` : (workspaceCalls(script)[0] ?? `yarn ${name}`);
  const runs: Readonly<Record<PackageManagerName, string>> = {
    npm: `npm run ${name} --workspaces --if-present`,
    pnpm: `pnpm -r run ${name}`,
    yarn: manager.isModernYarn ? `yarn workspaces foreach -A run ${name}` : classic,
    bun: `bun run --filter '*' ${name}`,
  };
  const run = runs[manager.name];
  const evidence = [...(manager.name === "yarn" ? [run] : []), ...callScript(manager.name, name).evidence];
  return { run, evidence, where };
}

const MOST_NAMED = 12;

/** `yarn workspace web test`. */
function workspaceCalls({ name, owner }: TestScript): readonly string[] {
  const called = stringOf(dig(readData(owner.tree, "package.json"), "name")) ?? "";
  const calls = [`yarn workspace ${called} ${name}`, `yarn workspace ${called} run ${name}`];
  return isPlainWord(called) ? calls : [];
}

/** Bun runs test files without a script. */
function bunTests({ tree }: NodePackage, { name }: PackageManager): StackCommand | null {
  const file = name === "bun" ? firstFiles(tree, /[._](?:test|spec)\.[cm]?[jt]sx?$/, 1)[0] : undefined;
  return file === undefined ? null : { run: "bun test", evidence: ["bun test"], where: file };
}
