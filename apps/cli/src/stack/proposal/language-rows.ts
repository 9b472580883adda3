import type { ActionEntry, CategoryEntry, Language } from "@agent-checkpoint/categories";
import { pathIn } from "../file-tree.ts";
import type { PlacedProject, Stack, StackCommand } from "../stack.ts";
import { actionRow, testsRow } from "./action-row.ts";
import { chooseTests } from "./choose-tests.ts";
import { listPlaces, type ProposedRow, type ProposedRows } from "./proposed-row.ts";

/** Said where a preset would ask for tests that a repository does not have. */
export const NO_TESTS: ProposedRow<ActionEntry> = {
  entry: { id: "tests", off: true },
  where: "no tests were found; take this row out once there are some",
};

const NO_DEPENDENCIES: ProposedRow<ActionEntry> = {
  entry: { id: "install", off: true },
  where: "no dependencies were found",
};

/** The rows of the language whose preset is taken: the preset's own actions, with this repository's commands. */
export function mainRows(projects: readonly PlacedProject[], stack: Stack): ProposedRows {
  const tests = testsRow("tests", "changed behavior", testsOf(projects, stack, stack.testTargets));
  const install = actionRow("install", installsOf(projects));
  return {
    actions: [...(install.length === 0 ? [NO_DEPENDENCIES] : install), ...(tests.length === 0 ? [NO_TESTS] : tests)],
    categories: [],
  };
}

/** The rows of a second language: actions of its own, and the preset's silent rows with them. */
export function secondRows(language: Language, projects: readonly PlacedProject[], stack: Stack): ProposedRows {
  const install = actionRow(`install-${language.id}`, installsOf(projects));
  const tests = testsRow(`test-${language.id}`, `the changed ${language.name} code`, testsOf(projects, stack, []));
  const row = (kind: "code" | "manifests", globs: readonly string[], actions: readonly ProposedRow<ActionEntry>[]) =>
    actions.map(({ entry: { id: action } }): ProposedRow<CategoryEntry> => ({
      entry: {
        id: `${language.id}-${kind}`,
        label: `${language.name} ${kind}`,
        ...(kind === "manifests" ? { plural: true } : {}),
        include: foldersOf(projects).flatMap((folder) => globs.map((glob) => pathIn(folder, glob))),
        action,
      },
      where: listPlaces(projects.map(({ where }) => where)),
    }));
  return {
    actions: [...install, ...tests],
    categories: [...row("manifests", language.manifests, install), ...row("code", language.sources, tests)],
  };
}

function foldersOf(projects: readonly PlacedProject[]): readonly string[] {
  return projects.some(({ folder }) => folder === ".") ? ["."] : projects.map(({ folder }) => folder);
}

function installsOf(projects: readonly PlacedProject[]): readonly StackCommand[] {
  return projects.flatMap(({ install }) => install ?? []);
}

/** One way to run the tests of each project; a target at the root counts for all of them. */
function testsOf(
  projects: readonly PlacedProject[],
  { testTargets, ciCommands }: Stack,
  targets: readonly StackCommand[],
): readonly StackCommand[] {
  const everywhere = testTargets.flatMap(({ evidence }) => evidence);
  const own = projects.flatMap(({ folder, tests }) => {
    const ways = folder === "." ? [...tests, ...targets] : tests;
    return chooseTests(ways, ciCommands) ?? [];
  });
  return own.length === 0
    ? targets
    : own.map((command) => ({ ...command, evidence: [...command.evidence, ...everywhere] }));
}
