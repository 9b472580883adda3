import type { ActionEntry, CategoryEntry, PresetName } from "@agent-checkpoint/categories";
import { extensionsOf, type Language } from "@agent-checkpoint/reports";
import {
  type Chore,
  recognise,
  type RepositoryCommand,
  type RepositoryFacts,
  runFromRoot,
  type TestArea,
  testAreas,
} from "@agent-checkpoint/repository";
import { evidenceOf } from "./evidence.ts";
import { nameOfLanguage } from "./language-names.ts";

/** A row of a proposed config, with where it comes from. */
export interface ProposedRow<Entry> {
  readonly entry: Entry;
  readonly where: string;
  /** What it runs, in the words of the screen, if that is more than its first command. */
  readonly said?: string;
}

/** Rows of a proposed config. */
export interface ProposedRows {
  readonly actions: readonly ProposedRow<ActionEntry>[];
  readonly categories: readonly ProposedRow<CategoryEntry>[];
}

/** The contents of a proposed config. */
export interface ProposalRows extends ProposedRows {
  readonly preset: PresetName;
  readonly presetWhere: string;
  /** What a person should know of it, in plain words. */
  readonly notes: readonly string[];
}

/** The config that fits a repository: a preset, and rows with the repository's own commands. */
export function proposalRows(facts: RepositoryFacts, preset: "teleclaude" | "generic"): ProposalRows {
  if (preset === "teleclaude") return { preset, presetWhere: "teleclaude/", actions: [], categories: [], notes: [] };
  const areas = testAreas(facts);
  const tested = areas.filter(({ runs }) => runs.length > 0);
  const main = tested[0] ?? areas[0];
  const parts = [
    { actions: testsRow(tested), categories: [] },
    ...choreRows([...facts.generators, ...facts.migrations]),
    composeRows(facts.composeFiles),
    checkRows(facts),
  ];
  return {
    preset,
    presetWhere: presetWhere(facts),
    actions: parts.flatMap(({ actions }) => actions),
    categories: parts.flatMap(({ categories }) => categories),
    notes: [...mainNotes(main), ...otherNotes(areas.filter((area) => area !== main))],
  };
}

function presetWhere({ languages, projects }: RepositoryFacts): string {
  const said = languages.slice(0, MAX_PLACES).map(({ language, files }) => `${nameOfLanguage(language)} (${files})`);
  return said.length === 0 ? (projects[0]?.manifest ?? "no code is tracked") : `tracked code files: ${said.join(", ")}`;
}

function globsOf(languages: readonly Language[]): readonly string[] {
  const extensions = languages.flatMap(extensionsOf);
  if (extensions.length === 0) return [];
  return [`**/*.${extensions.length === 1 ? extensions[0] : `{${extensions.join(",")}}`}`];
}

/** The longest line that a config may hold. */
const MAX_LENGTH = 300;
const MAX_PLACES = 4;

/**
 * The action that runs the tests, with the command of each language.
 * It names no evidence: a test run counts by what it reports, for files of its language and place.
 */
function testsRow(tested: readonly TestArea[]): readonly ProposedRow<ActionEntry>[] {
  const [first] = tested;
  const run = runFromRoot(first?.runs[0]);
  if (first === undefined || run === null || run.length > MAX_LENGTH) return [];
  const said = tested.map((area) =>
    tested.length === 1 ? `all of them: ${wordsFor(area)}` : `${nameOfLanguage(area.language)}: ${wordsFor(area)}`,
  );
  const instruction = `Run targeted tests for changed behavior (${said.join(", ")})`;
  const where = tested.map(placesOf).join("; ");
  const entry = {
    id: "tests",
    stage: "validate" as const,
    ...(instruction.length > MAX_LENGTH ? {} : { instruction }),
    steps: [{ run, evidence: [] }],
  };
  return [{ entry, where, ...(tested.length === 1 ? {} : { said: said.join(", ") }) }];
}

function wordsFor({ runs, others }: TestArea): string {
  if (others.length > 0) return `\`${runs[0]?.command}\` in the folder that changed`;
  return runs.map((command) => `\`${runFromRoot(command)}\``).join(" and ");
}

function placesOf(area: TestArea): string {
  const sources = [...new Set(area.runs.map(({ source }) => source))];
  const where = [...sources, ...seenWords(area, sources)].join(", ");
  return area.others.length > 0 ? `${where} and ${area.others.length} more` : where;
}

function seenWords({ seenIn }: TestArea, sources: readonly string[]): readonly string[] {
  if (seenIn === null || sources.includes(seenIn)) return [];
  return [seenIn.endsWith(".md") ? `named in ${seenIn}` : `run by ${seenIn}`];
}

/** The rows of chores, one pair for each tool: the same tool in several folders shares it. */
function choreRows(chores: readonly Chore[]): readonly ProposedRows[] {
  const keyOf = ({ kind, tool }: Chore) => `${kind} ${tool}`;
  const groups = [...new Set(chores.map(keyOf))].map((key) => chores.filter((chore) => keyOf(chore) === key));
  const tools = groups.filter(([chore]) => chore?.kind === "migrate").length;
  return groups.flatMap((group) => {
    const [first] = group;
    const run = runFromRoot(first);
    if (first === undefined || run === null) return [];
    const { kind, tool, label } = first;
    const action = kind === "generate" ? `generate-${tool}` : tools === 1 ? "migrate" : `migrate-${tool}`;
    const id = kind === "generate" ? `${tool}-sources` : tools === 1 ? "migrations" : `${tool}-migrations`;
    const runs = [...new Set(group.map((chore) => `\`${runFromRoot(chore)}\``))];
    const where = [...new Set(group.map(({ source }) => source))].slice(0, MAX_PLACES).join(", ");
    const evidence = evidenceOf(group.flatMap((chore) => [chore.command, ...chore.evidence]));
    const entry = {
      id: action,
      ...(runs.length > 1 ? { instruction: `Run ${runs.join(" or ")}, where it changed`.slice(0, MAX_LENGTH) } : {}),
      steps: [{ run, evidence }],
    };
    const include = [...new Set(group.flatMap((chore) => chore.include))];
    return [
      {
        actions: [{ entry, where }],
        categories: [
          { entry: { id, label, ...(label.endsWith("s") ? { plural: true } : {}), include, action }, where },
        ],
      },
    ];
  });
}

/** Compose files at the root, which Docker can check without starting anything. */
function composeRows(composeFiles: readonly string[]): ProposedRows {
  const files = composeFiles.filter((path) => !path.includes("/"));
  const main = files.find((name) => /^(?:docker-)?compose\.ya?ml$/.test(name));
  const first = main ?? files[0];
  if (first === undefined || files.length > MAX_PLACES) return { actions: [], categories: [] };
  const run = `docker compose ${main === undefined ? `-f ${first} ` : ""}config --quiet`;
  const evidence = ["config", "up", "build", ...files.map((file) => `-f ${file} config`)].map(
    (words) => `docker compose ${words}`,
  );
  const where = files.join(", ");
  const label = files.length > 1 ? "compose files" : "the compose file";
  return {
    actions: [
      {
        entry: {
          id: "check-compose",
          steps: [{ run, evidence: [...evidence, "docker-compose config", "docker-compose up"] }],
        },
        where,
      },
    ],
    categories: [
      {
        entry: {
          id: "compose",
          label,
          ...(files.length > 1 ? { plural: true } : {}),
          include: files,
          action: "check-compose",
        },
        where,
      },
    ],
  };
}

/** A check that a repository may have beside its tests. */
interface CheckRow {
  /** The words after `check-` in the id of the action. */
  readonly id: string;
  /** The kind of work that the command must be known for; null if the name says enough. */
  readonly kind: RepositoryCommand["kind"] | null;
  /** Names that a project gives to its one check of the kind. */
  readonly names: RegExp;
  /** The files that it is about, if that is not the code. */
  readonly include?: readonly string[];
}

const CHECKS: readonly CheckRow[] = [
  {
    id: "types",
    kind: "types",
    names: /^(?:type-?check|types?|check[:_-]types?|types?[:_-]check|lint:types|tsc|mypy|typing|test:types)$/,
  },
  { id: "lint", kind: "lint", names: /^(?:lint|lint[:_-]check|check[:_-]lint|eslint|biome|clippy|rubocop)$/ },
  {
    id: "format",
    kind: "format",
    names: /^(?:(?:format|fmt|prettier)[:_-]check|check[:_-](?:format|fmt)|lint:format|format|prettier-check)$/,
  },
  {
    id: "generated",
    kind: "generate",
    names: /^(?:generate|codegen|gen|jsonschema|proto|protobuf|openapi:generate|graphql:generate)$/,
  },
  {
    id: "translations",
    kind: null,
    names:
      /^(?:i18n|lingui|intl|translations?|messages)[:_-](?:extract|check|compile)$|^(?:extract|check)[:_-](?:i18n|translations?|messages)$|^makemessages$/,
  },
  {
    id: "docs",
    kind: null,
    names: /^(?:docs?[:_-]build|build[:_-]docs?|docs?|documentation)$/,
    include: ["docs/**", "doc/**", "documentation/**"],
  },
];

/** Checks that the repository has beside its tests: no reason to block, and mentioned if a message goes out anyway. */
function checkRows({ commands, languages, generators }: RepositoryFacts): ProposedRows {
  const asked = new Set(generators.map(({ command }) => command));
  const found = CHECKS.flatMap((check) => {
    const command = commands.find(
      ({ kind, folder, origin, name, command: run }) =>
        (check.kind === null || kind === check.kind) &&
        folder === "" &&
        origin === "declared" &&
        check.names.test(name) &&
        !asked.has(run),
    );
    return command === undefined ? [] : [{ ...check, command }];
  });
  const main = languages.slice(0, 1).map(({ language }) => language);
  return {
    actions: found.map(({ id, command }) => ({
      entry: {
        id: `check-${id}`,
        stage: "validate",
        advisory: true,
        steps: [{ run: command.command, evidence: evidenceOf([command.command, ...wordsOf(command)]) }],
      },
      where: command.source,
    })),
    categories: found
      .map(({ id, command, include }) => ({
        entry: {
          id: `${id}-checked`,
          label: include === undefined ? "code" : "documents",
          ...(include === undefined ? {} : { plural: true }),
          include: [...(include ?? globsOf(command.languages.length > 0 ? command.languages : main))],
          action: `check-${id}`,
        },
        where: command.source,
      }))
      .filter(({ entry }) => entry.include.length > 0),
  };
}

/** The program that a script calls: `eslint`. */
function wordsOf({ runs }: RepositoryCommand): readonly string[] {
  const found = runs === null || /[;&|\n]/.test(runs) ? null : recognise(runs);
  return found === null ? [] : [found.words];
}

/** What is said of the main language if its tests cannot be named. */
function mainNotes(main: TestArea | undefined): readonly string[] {
  if (main === undefined) return ["No code is tracked here: there is nothing to test, so tests are not asked for."];
  if (main.runs.length > 0) return [];
  const name = nameOfLanguage(main.language);
  return main.testFiles > 0
    ? [
        `${main.testFiles} test files of ${name}, but no command that runs them: any known test runner counts. Name yours as a step of the action \`tests\`.`,
      ]
    : [
        `No test files and no test command of ${name} were found: there is nothing to test, so tests are not asked for until there are some. If there is a way already, name it as a step of the action \`tests\`.`,
      ];
}

/** The share of the code from which on a silent language is worth a word. */
const MIN_SHARE = 0.05;

function otherNotes(others: readonly TestArea[]): readonly string[] {
  const silent = others
    .filter(({ runs, share, testFiles }) => runs.length === 0 && (share >= MIN_SHARE || testFiles > 0))
    .map(({ language, files }) => `${nameOfLanguage(language)} (${files})`);
  return silent.length === 0
    ? []
    : [`No way to run tests was found for ${silent.join(", ")}: nothing is asked for these files.`];
}
