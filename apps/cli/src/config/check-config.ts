import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Config,
  type ConfigProblem,
  type NamedConfig,
  parseConfig,
  resolveRules,
  type Rules,
  type StepEntry,
} from "@agent-checkpoint/categories";
import { CONFIG_FILE, detectPreset, loadRules, TEAM_FILE } from "@agent-checkpoint/composer";
import { errorCode } from "@agent-checkpoint/files";
import { peekRepository } from "@agent-checkpoint/git";
import { parseCommandLine } from "@agent-checkpoint/commands";
import { findEvidence, readTurn } from "@agent-checkpoint/heuristics";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { MADE_UP_CALL } from "../made-up-call.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { counted, wrapText } from "../terminal/layout.ts";

export interface ConfigCheck {
  readonly sources: readonly ConfigSource[];
  readonly problems: readonly ConfigProblem[];
  /** The resolved rules; null if they cannot be used. */
  readonly rules: Rules | null;
}

/** `config check`: whether config files can be used, and whether a command could ever satisfy their evidence. */
export function checkConfig(
  file: string | undefined,
  { json }: { readonly json?: true },
  context: CommandContext,
): void {
  const root = repositoryOf(context.cwd);
  const check = file === undefined ? checkHere(root, context.home) : checkFile(file, root, context);
  const { sources, problems } = check;
  if (json === true) {
    const files = sources.map(({ file: name, path, exists }) => ({ file: name, path, exists }));
    const said = problems.map((problem) => ({ ...problem, advice: adviceFor(problem) }));
    context.out(toJson({ ok: problems.length === 0, files, problems: said }));
  } else if (problems.length > 0) {
    context.out(renderProblems(problems, context));
  } else context.out(renderGood(check, context));
  if (problems.length > 0) context.exit(EXIT.found);
}

/** The files that apply in a repository. */
export function checkHere(root: string, home: string): ConfigCheck {
  const sources = readConfigs(root, home);
  const loaded = loadRules(root, home);
  const wrong = loaded.ok ? [] : loaded.problems;
  const unmet = sources.flatMap(({ named }) => (named === null ? [] : unmetEvidence(named)));
  return { sources, problems: [...wrong, ...unmet], rules: loaded.ok ? loaded.rules : null };
}

/** One file, as if it were the config of the repository. */
function checkFile(file: string, root: string, { cwd, home }: CommandContext): ConfigCheck {
  const source = readConfig(resolve(cwd, file), file);
  if (!source.exists)
    throw refused(
      `${visible(file)} does not exist`,
      `Run it without a file to check what applies here, or run \`checkpoint init\` to write a ${CONFIG_FILE}.`,
    );
  if (source.named === null) return { sources: [source], problems: source.problems, rules: null };
  const below = readConfigs(root, home).slice(0, -1);
  const resolved = resolveRules(detectPreset(root), [...below.flatMap(({ named }) => named ?? []), source.named]);
  const wrong = resolved.ok ? [] : resolved.problems.filter((problem) => problem.file === file);
  return {
    sources: [source],
    problems: [...wrong, ...unmetEvidence(source.named)],
    rules: resolved.ok ? resolved.rules : null,
  };
}

/** The config of the main work tree, if this is a linked one that lacks it; null otherwise. */
export function configInMainTree(root: string): string | null {
  const path = join(peekRepository(root), CONFIG_FILE);
  return existsSync(path) && !existsSync(join(root, CONFIG_FILE)) ? path : null;
}

/** The problem with such a config, and how to fix it. */
export function describeMainConfig(path: string): { readonly what: string; readonly fix: string } {
  return {
    what: `${path} does not apply in this work tree: it is not committed, or on another branch`,
    fix: "Commit it, so that every work tree has it.",
  };
}

function renderGood({ sources, rules }: ConfigCheck, { style, cwd }: CommandContext): string {
  const present = sources.filter(({ exists }) => exists);
  const counts =
    rules === null
      ? ""
      : `preset ${rules.preset}, ${counted(rules.actions.length, "action")}, ${counted(rules.categories.length, "category", "categories")}`;
  if (present.length > 0)
    return `${style.good("in order")}  ${present.map(({ file }) => visible(file)).join(" and ")}: ${counts}\n`;
  const main = configInMainTree(repositoryOf(cwd));
  if (main === null) return `No config file applies here: ${counts}. \`checkpoint init\` writes one.\n`;
  const { what, fix } = describeMainConfig(main);
  return `No config file applies here: ${counts}. ${visible(what)}. ${fix}\n`;
}

export interface ConfigSource {
  /** Its name in messages. */
  readonly file: string;
  readonly path: string;
  /** Null if the file does not exist or cannot be used. */
  readonly named: NamedConfig | null;
  readonly exists: boolean;
  readonly problems: readonly ConfigProblem[];
}

/** The team's rules, the personal config and the repository's, in the order in which they are applied to the preset. */
export function readConfigs(root: string, home: string): readonly ConfigSource[] {
  const [team, personal] = [join(home, TEAM_FILE), join(home, "config.json")];
  const ofTeam = readConfig(team, team);
  return [
    ...(ofTeam.exists ? [ofTeam] : []),
    readConfig(personal, personal),
    readConfig(join(root, CONFIG_FILE), CONFIG_FILE),
  ];
}

/** Reads one config file under a name. */
export function readConfig(path: string, file: string): ConfigSource {
  const read = readConfigText(path);
  const source = { file, path, named: null, exists: read.status !== "missing", problems: [] };
  if (read.status === "missing") return source;
  if (read.status === "unreadable")
    return { ...source, problems: [{ file, key: "", expected: "a readable file", found: read.code }] };
  const parsed = parseConfig(read.text, file);
  return parsed.ok ? { ...source, named: { file, config: parsed.config } } : { ...source, problems: parsed.problems };
}

export type ConfigText =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "unreadable"; readonly code: string };

export function readConfigText(path: string): ConfigText {
  try {
    return { status: "read", text: readFileSync(path, "utf8") };
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? { status: "missing" } : { status: "unreadable", code };
  }
}

/**
 * Evidence that no command could ever satisfy, so that its action would be asked for at every stop.
 * Stops see each part of `cd api && make test` separately.
 */
export function unmetEvidence({ file, config }: NamedConfig): readonly ConfigProblem[] {
  return commandsIn(config)
    .filter(({ command }) => !proves(command, [command]))
    .map(({ key, command }) => ({
      file,
      key,
      expected: `the command as stops see it${suggestion(command)}`,
      found: JSON.stringify(command),
    }));
}

interface KeyedCommand {
  readonly key: string;
  readonly command: string;
}

function commandsIn({ actions = [] }: Config): readonly KeyedCommand[] {
  return actions.flatMap(({ off, steps = [] }, index) =>
    off === true ? [] : steps.flatMap((step, at) => commandsOf(step, `actions[${index}].steps[${at}]`)),
  );
}

/** A step's evidence; by default the command itself. */
function commandsOf(step: StepEntry, key: string): readonly KeyedCommand[] {
  if (typeof step === "string") return [{ key, command: step }];
  if (step.evidence === undefined) return [{ key: `${key}.run`, command: step.run }];
  return step.evidence.map((command, index) => ({ key: `${key}.evidence[${index}]`, command }));
}

function suggestion(command: string): string {
  const words = parseCommandLine(command).at(-1)?.argv.join(" ") ?? "";
  return words !== "" && words !== command && proves(words, [words]) ? ` (\`${words}\`)` : "";
}

/** Whether a command line that ran and succeeded counts as evidence, as a stop would judge it. */
export function proves(commandLine: string, evidence: readonly string[]): boolean {
  const call = { ...MADE_UP_CALL, command: commandLine };
  return findEvidence(readTurn({ toolCalls: [call] }, { projectPath: "/" }), evidence, 0).status === "found";
}

/** What to do about a problem, by what was expected; the first match counts. */
const ADVICE: readonly { readonly expected: RegExp; readonly advice: string }[] = [
  { expected: /^JSON/, advice: "Fix the file there: a comma, a bracket or a quote is missing or superfluous." },
  { expected: /^a readable file/, advice: "Make it a readable file, or remove it." },
  { expected: /^only known keys/, advice: "Remove the key or correct its spelling; docs/config.md lists all keys." },
  { expected: /^the id of an action/, advice: "Use one of these, or add an action with that id to `actions`." },
  { expected: /^an action with the id/, advice: "Add an action with that id to `actions`, or remove `tests`." },
  {
    expected: /^the command as stops see it/,
    advice:
      "In `evidence`, name the program that finally runs and its arguments, without `npx`, `uv run`, `cd … &&` or a path; `run` may contain the whole command.",
  },
];

/** What the user can do about a problem of a config file. */
export function adviceFor({ expected }: ConfigProblem): string {
  return ADVICE.find((row) => row.expected.test(expected))?.advice ?? "Set the expected value; see docs/config.md.";
}

/** Problems of config files as text: where, what was expected, what was found, what to do. */
export function renderProblems(
  problems: readonly ConfigProblem[],
  { style, columns }: Pick<CommandContext, "style" | "columns">,
): string {
  const blocks = problems.map((problem) => {
    const { file, key, expected, found } = problem;
    const line = (name: string, text: string) => wrapText(visible(text), { columns, first: `  ${name.padEnd(10)}` });
    const title = `${style.bad("wrong")}  ${style.bold(visible(file))}${key === "" ? "" : `: ${style.name(visible(key))}`}\n`;
    return `${title}${line("expected", expected)}${line("found", found)}${line("do", adviceFor(problem))}`;
  });
  return blocks.join("\n");
}
