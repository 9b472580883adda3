import type { ActionEntry } from "@agent-checkpoint/categories";
import { type RepositoryFacts, runFromRoot, type TestArea } from "@agent-checkpoint/repository";
import type { ProposedRow } from "./proposal-rows.ts";

const MAX_WORDS = 40;
const MAX_LENGTH = 300;

/** Commands in the spellings that people use; `beside` tells which package managers are used. */
export function evidenceOf(commands: readonly string[], beside: readonly string[] = commands): readonly string[] {
  const managers = [...new Set(beside.flatMap((command) => /^(pnpm|yarn|bun)\b/.exec(command)?.[1] ?? []))];
  const words = commands.flatMap((command) => [
    ...spellings(command),
    ...(isProgram(command) ? managers.flatMap((manager) => throughManager(manager, command)) : []),
  ]);
  return [...new Set(words)].filter((one) => one.length <= MAX_LENGTH && !/[$'"*]/.test(one)).slice(0, MAX_WORDS);
}

/** Whether a package manager may start it as a program of an installed package. */
function isProgram(command: string): boolean {
  return /^(?!(?:npm|npx|pnpm|yarn|bun|bunx|make|just|task|deno|node|tsx|cargo|go|mise|docker)\b)[a-z][\w-]*(?: |$)/.test(
    command,
  );
}

/** The ways to type a command: scripts of package.json are started with and without `run`. */
function spellings(command: string): readonly string[] {
  const script = command === "bun test" ? null : /^(npm|pnpm|yarn|bun)(?: run)? ([\w:@./-]+)$/.exec(command);
  if (script === null) {
    const file = command.replace(/^\.\//, "");
    if (/^\S+\.py$/.test(command)) return [command, `python ${file}`];
    return /^\S+\.sh$/.test(command) ? [command, `bash ${file}`, `sh ${file}`] : [command];
  }
  const [, manager = "", name = ""] = script;
  const short = manager === "bun" || (manager === "npm" && name !== "test") ? [] : [`${manager} ${name}`];
  return [
    ...short,
    `${manager} run ${name}`,
    ...(manager !== "npm" && name === "test" ? ["npm test"] : []),
    `npm run ${name}`,
    ...(manager === "npm" && name === "test" ? ["npm t"] : []),
  ];
}

function throughManager(manager: string, program: string): readonly string[] {
  if (manager === "bun") return [`bun run ${program}`];
  return manager === "pnpm" ? [`pnpm ${program}`, `pnpm exec ${program}`] : [`${manager} ${program}`];
}

/** How dependencies are brought up to date, by package manager; `tests`: its test run does so as well. */
const INSTALLS: Readonly<Record<string, { readonly run: string; readonly words: string; readonly tests?: true }>> = {
  npm: { run: "npm install", words: "install i ci uninstall update" },
  pnpm: { run: "pnpm install", words: "install i add remove update up" },
  yarn: { run: "yarn install", words: "install add remove up upgrade" },
  bun: { run: "bun install", words: "install i add remove update" },
  uv: { run: "uv sync", words: "sync add remove lock", tests: true },
  poetry: { run: "poetry install", words: "install add remove update sync" },
  pdm: { run: "pdm install", words: "install add remove update sync" },
  pipenv: { run: "pipenv install --dev", words: "install uninstall update sync" },
  cargo: { run: "cargo check", words: "check build clippy run", tests: true },
  go: { run: "go mod tidy", words: "mod build get vet", tests: true },
  "go-work": { run: "go work sync", words: "work mod build get vet", tests: true },
  bundler: { run: "bundle install", words: "install add remove update check" },
  gradle: { run: "gradle testClasses", words: "testClasses classes assemble build", tests: true },
  maven: { run: "mvn test-compile", words: "test-compile compile package verify", tests: true },
};

function testWords({ runs }: TestArea): readonly string[] {
  return evidenceOf(runs.flatMap(({ command, programs }) => [command, ...programs]));
}

/** The install of the main language's dependencies, where its tests are run. */
export function installOf(area: TestArea, { projects }: RepositoryFacts): ProposedRow<ActionEntry> | null {
  const own = projects.filter(({ language }) => language === area.language);
  const near = own.find(({ folder }) => folder === area.runs[0]?.folder) ?? own[0];
  // The packages of a workspace are installed from its root.
  const project =
    own.find(({ folder, packageManager }) => folder === "" && packageManager === near?.packageManager) ?? near;
  const install = INSTALLS[project?.packageManager ?? ""];
  if (project === undefined || install === undefined) return null;
  const [program = ""] = install.run.split(" ");
  // A wrapper that the tests are run with is the one to call here too.
  const wrapper = /^\.\/(?:gradlew|mvnw)(?= )/.exec(area.runs[0]?.command ?? "")?.[0];
  const command = wrapper === undefined ? install.run : install.run.replace(program, wrapper);
  const programs = wrapper === undefined ? [program] : [wrapper.slice(2), program];
  const evidence = [
    ...programs.flatMap((one) => install.words.split(" ").map((word) => `${one} ${word}`)),
    ...(install.tests === true ? testWords(area) : []),
  ];
  return {
    entry: { id: "install", steps: [{ run: runFromRoot({ command, folder: project.folder }) ?? command, evidence }] },
    where: project.manifest,
  };
}
