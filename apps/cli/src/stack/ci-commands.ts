import { parseCommandLine } from "@agent-checkpoint/heuristics";
import type { FileTree } from "./file-tree.ts";
import { dig, entriesOf, readData, stringOf } from "./read-data.ts";
import type { CiCommand } from "./stack.ts";

const WORKFLOWS = ".github/workflows";
const MOST_WORKFLOWS = 20;

/** What the steps of GitHub's and GitLab's CI run. */
export function ciCommands(tree: FileTree): readonly CiCommand[] {
  const workflows = tree
    .list(WORKFLOWS)
    .filter((name) => /\.ya?ml$/.test(name))
    .slice(0, MOST_WORKFLOWS)
    .map((name) => `${WORKFLOWS}/${name}`);
  return [
    ...workflows.flatMap((file) => commandsAt(file, githubLines(readData(tree, file)))),
    ...commandsAt(".gitlab-ci.yml", gitlabLines(readData(tree, ".gitlab-ci.yml"))),
  ];
}

function githubLines(workflow: unknown): readonly string[] {
  return entriesOf(dig(workflow, "jobs")).flatMap(([, job]) => {
    const steps = dig(job, "steps");
    return Array.isArray(steps) ? steps.flatMap((step) => stringOf(dig(step, "run")) ?? []) : [];
  });
}

/** Every job has its lines under `script`, nested or not. */
function gitlabLines(file: unknown): readonly string[] {
  return entriesOf(file).flatMap(([, job]) => linesIn(dig(job, "script")));
}

function linesIn(script: unknown): readonly string[] {
  return Array.isArray(script) ? script.flatMap(linesIn) : typeof script === "string" ? [script] : [];
}

function commandsAt(where: string, lines: readonly string[]): readonly CiCommand[] {
  // GitHub's own expressions are no shell.
  return lines
    .flatMap((line) => parseCommandLine(line.replaceAll(/\$\{\{.*?\}\}/g, "x")))
    .filter(({ argv }) => argv.length > 0)
    .map(({ argv }) => ({ argv, where }));
}
