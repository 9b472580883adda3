import { LANGUAGES, type PresetName } from "@agent-checkpoint/categories";
import type { Stack } from "../stack.ts";
import { testsRow } from "./action-row.ts";
import { choreRows } from "./chore-rows.ts";
import { mainRows, NO_TESTS, secondRows } from "./language-rows.ts";
import { mainLanguage } from "./main-language.ts";
import { listPlaces, type ProposedRows } from "./proposed-row.ts";

/** The contents of a proposed config. */
export interface ProposalRows extends ProposedRows {
  readonly preset: PresetName;
  readonly presetWhere: string;
}

/** The config that fits a repository: a preset, and rows with the repository's own commands. */
export function proposalRows(stack: Stack): ProposalRows {
  if (stack.isTeleClaude) return { preset: "teleclaude", presetWhere: "teleclaude/", actions: [], categories: [] };
  const main = mainLanguage(stack.projects);
  const own = stack.projects.filter(({ language }) => language === main);
  const parts = [
    main === null ? rowsWithoutLanguage(stack) : mainRows(own, stack),
    ...LANGUAGES.filter(({ id }) => id !== main).map((language) =>
      secondRows(
        language,
        stack.projects.filter((project) => project.language === language.id),
        stack,
      ),
    ),
    ...choreRows(stack.chores),
  ];
  return {
    preset: main ?? "generic",
    presetWhere: main === null ? "no project that is known here" : listPlaces(own.map(({ where }) => where)),
    actions: parts.flatMap(({ actions }) => actions),
    categories: parts.flatMap(({ categories }) => categories),
  };
}

function rowsWithoutLanguage({ testTargets }: Stack): ProposedRows {
  const tests = testsRow("tests", "changed behavior", testTargets);
  return { actions: tests.length === 0 ? [NO_TESTS] : tests, categories: [] };
}
