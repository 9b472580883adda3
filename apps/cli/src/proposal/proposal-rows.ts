import { type ActionEntry, type CategoryEntry, KINDS_THAT_COUNT, type PresetName } from "@agent-checkpoint/categories";
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
    notes: notesOn(areas, facts),
  };
}

function presetWhere({ languages, projects }: RepositoryFacts): string {
  const said = languages.slice(0, MAX_PLACES).map(({ language, files }) => `${nameOfLanguage(language)} ${files}`);
  return said.length === 0
    ? (projects[0]?.manifest ?? "no code of a known language is tracked")
    : `tracked code files: ${said.join(", ")}`;
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
  const parts = [...new Set(tested.map(wordsFor))].map((words) => {
    const names = tested.filter((area) => wordsFor(area) === words).map(({ language }) => nameOfLanguage(language));
    return `${tested.length === 1 ? "all of them" : names.join(", ")}: ${words}`;
  });
  const sentence = (said: readonly string[]) => `Run targeted tests for changed behavior (${said.join("; ")})`;
  // What does not fit is left to the agent: any run of the tests counts.
  const fitting = parts.filter((_, index) => sentence(parts.slice(0, index + 1)).length <= MAX_LENGTH);
  const entry = {
    id: "tests",
    stage: "validate" as const,
    ...(fitting.length === 0 ? {} : { instruction: sentence(fitting) }),
    steps: [{ run, evidence: [] }],
  };
  const where = [...new Set(tested.map(placesOf))].join("; ");
  const isPlain = tested.length === 1 && first.runs.length === 1 && first.others.length === 0;
  const said = tested.length === 1 ? wordsFor(first) : parts.join("; ");
  return [{ entry, where, ...(isPlain ? {} : { said }) }];
}

function wordsFor({ runs, others }: TestArea): string {
  if (others.length > 0)
    return `${[...new Set(runs.map(({ command }) => `\`${command}\``))].join(" or ")} in the folder that changed`;
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
  readonly label?: string;
}

const CHECKS: readonly CheckRow[] = [
  {
    id: "types",
    kind: "types",
    names:
      /^(?:type-?check|ts-?check|check|(?:\w+:)?check[:_-]types?|types?[:_-]check|types:check|lint:types|tsc|mypy|phpstan|typing|test:types)$/,
  },
  { id: "build", kind: "build", names: /^(?:build|compile)$/ },
  {
    id: "lint",
    kind: "lint",
    names:
      /^(?:lint|lint[:_-]check|check[:_-]lint|eslint|biome|clippy|rubocop|golangci-lint|credo|swiftlint|analyze|ruff)$/,
  },
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
    id: "snapshots",
    kind: null,
    names:
      /^(?:tests?|jest|vitest|unit)[:_-](?:update(?:[:_-]snapshots?)?|u|snapshots?)$|^update[:_-]?snapshots?$|^snapshots?[:_-]update$/,
    include: ["**/__snapshots__/**", "**/*.snap"],
    label: "snapshots",
  },
  {
    id: "docs",
    kind: null,
    names: /^(?:docs?[:_-]build|build[:_-]docs?|docs?|documentation)$/,
    label: "documents",
    include: ["docs/**", "doc/**", "documentation/**"],
  },
];

/** Languages whose own tool has the checks, so that what CI runs can be run anywhere. */
const WITH_TOOL: ReadonlySet<Language> = new Set(["rust", "go", "elixir", "dart", "terraform"]);

/** Languages in which a build makes a package and checks nothing. */
const PACKAGED: ReadonlySet<Language> = new Set(["ruby", "python", "php", "perl", "lua"]);

/** A script of this name may as well start a server. */
const IS_SERVER = /\b(?:dev|serve|start|watch|docs)\b|vitepress(?! build)/;

/** Checks that the repository has beside its tests: no reason to block, and mentioned if a message goes out anyway. */
function checkRows(facts: RepositoryFacts): ProposedRows {
  const asked = new Set(facts.generators.map(({ command }) => command));
  const main = facts.languages.slice(0, 1).map(({ language }) => language);
  const found = CHECKS.flatMap((check) => {
    const command = declaredCheck(check, facts) ?? ciCheck(check, facts);
    return command === null || asked.has(command.command) ? [] : [{ ...check, ...command }];
  });
  return {
    actions: found.map(({ id, command, words, source }) => ({
      entry: {
        id: `check-${id}`,
        stage: "validate",
        // Any run of a type check, lint or build counts; what else is checked is known by its command.
        steps: [{ run: command, evidence: KINDS_THAT_COUNT.has(`check-${id}`) ? [] : evidenceOf([command, ...words]) }],
      },
      where: source,
    })),
    categories: found
      .map(({ id, languages, source, include, label = "code" }) => ({
        entry: {
          id: `${id}-checked`,
          label,
          ...(include === undefined ? {} : { plural: true }),
          include: [...(include ?? globsOf(languages.length > 0 ? languages : main))],
          action: `check-${id}`,
        },
        where: source,
      }))
      .filter(({ entry }) => entry.include.length > 0),
  };
}

/** A command that checks, with the words of the program that it ends up calling: `eslint`. */
interface FoundCheck {
  readonly command: string;
  readonly words: readonly string[];
  readonly languages: readonly Language[];
  readonly source: string;
}

function declaredCheck({ id, kind, names }: CheckRow, { commands }: RepositoryFacts): FoundCheck | null {
  const fitting = commands.filter(
    (one) =>
      (kind === null || one.kind === kind) &&
      one.folder === "" &&
      one.origin === "declared" &&
      names.test(one.name) &&
      !(id === "docs" && IS_SERVER.test(one.runs ?? "")) &&
      !(id === "build" && one.languages.some((language) => PACKAGED.has(language))),
  );
  // Beside one that says so, a script without the word may mend what it finds.
  const found = fitting.find(({ name }) => /[:_-]check$|^check[:_-]/.test(name)) ?? fitting[0];
  if (found === undefined) return null;
  const { command, languages, source, runs } = found;
  const called = runs === null ? command : /[;&|\n]/.test(runs) ? "" : runs;
  return { command, languages, source, words: [recognise(called)?.words ?? []].flat() };
}

/** What CI runs as it stands, if anyone can: a tool of the language, without a word that only CI knows. */
function ciCheck({ kind }: CheckRow, { ciSteps, languages }: RepositoryFacts): FoundCheck | null {
  const main = languages[0]?.language;
  if (main === undefined || !WITH_TOOL.has(main)) return null;
  const step = ciSteps.find(
    (one) =>
      one.kind === kind && one.folder === "" && one.languages.includes(main) && /^[\w./:= -]{1,80}$/.test(one.command),
  );
  if (step === undefined || kind === "generate") return null;
  const { command, source } = step;
  return { command, source, languages: [main], words: [recognise(command)?.words ?? []].flat() };
}

/** The share of the code from which on a language without tests is worth a word, or else how many test files. */
const MIN_SHARE = 0.05;
const MIN_TEST_FILES = 3;

/** What is said of languages whose tests cannot be named, so that nothing is off in silence. */
function notesOn(areas: readonly TestArea[], { unknownCode, commands }: RepositoryFacts): readonly string[] {
  const unknown = Object.entries(unknownCode).map(([ending, files]) => `.${ending} (${files})`);
  const way = commands.find(({ kind }) => kind === "test");
  if (areas.length === 0 && unknown.length === 0 && way === undefined)
    return ["No code is tracked here: there is nothing to test, so tests are not asked for."];
  if (areas.length === 0) {
    const reason =
      unknown.length > 0
        ? `The language of ${unknown.slice(0, MAX_PLACES).join(", ")} is not known here`
        : "No code of a known language is tracked here";
    const step = way === undefined ? "a step" : `\`${runFromRoot(way)}\` (${way.source}) as a step`;
    return [
      `${reason}: no tests are asked for. A category with the files and \`"tests": true\`, and ${step} of the action \`tests\`, change that.`,
    ];
  }
  if (areas.every(({ runs, testFiles }) => runs.length === 0 && testFiles === 0))
    return [
      "No tests were found, and no command that runs any: there is nothing to test, so tests are not asked for until there are some. If there is a way already, name it as a step of the action `tests`.",
    ];
  const isAll = areas.every(({ runs }) => runs.length === 0);
  const open = areas.filter(
    ({ language, runs, share, testFiles }) =>
      runs.length === 0 &&
      // Scripts called `test` run the tests of other languages.
      (isAll || share >= MIN_SHARE || (testFiles >= MIN_TEST_FILES && language !== "shell")),
  );
  const tested = open.filter(({ testFiles }) => testFiles > 0).map((area) => countOf(area, area.testFiles));
  const untested = open.filter(({ testFiles }) => testFiles === 0).map((area) => countOf(area, area.files));
  return [
    ...(tested.length === 0
      ? []
      : [
          `No command was found that runs the test files of ${tested.join(", ")}: any known test runner counts. To have yours named, make it a step of the action \`tests\`.`,
        ]),
    ...(untested.length === 0 ? [] : [`Nothing is asked for ${untested.join(", ")}: no tests were found.`]),
  ];
}

function countOf({ language }: TestArea, files: number): string {
  return `${nameOfLanguage(language)} (${files})`;
}
