import {
  type AndOr,
  type Command,
  type CommandNode,
  forEachChild,
  parse,
  type Pipeline,
  type PipelineNode,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";
import { joinPath } from "../project-path.ts";
import { NO_REDIRECTIONS, redirections, type Redirections } from "./file-effects.ts";
import { type StatusShown, statusShown } from "./status-shown.ts";
import { switchedOptions, unwrap } from "./unwrap.ts";

/** One simple command of a command line. */
export interface ShellCommand {
  /** The program that runs and its arguments, without wrappers. */
  readonly argv: readonly string[];
  /** Whether the command line could not have succeeded without this command having succeeded. */
  readonly decides: boolean;
  /** What hides its status; null if its status decides. */
  readonly maskedBy: Mask | null;
  /** The step of the command line it belongs to; the parts of one pipeline share a step. */
  readonly step: number;
  /** The folder it runs in, relative to where the line starts; null when an expansion hides it. */
  readonly folder: string | null;
  /** Files that its output is redirected to. */
  readonly redirectsTo: readonly string[];
  /** Files that it reads through a redirection. */
  readonly redirectsFrom: readonly string[];
  /** The program as it was written, with its folder. */
  readonly path: string;
  /** The commands that its output goes through. */
  readonly filters: readonly (readonly string[])[];
  /** How the line prints its exit status; null if it does not. */
  readonly statusShown: StatusShown | null;
  /** The inline program of an interpreter: `python -c`, a heredoc. */
  readonly script: string | null;
}

/** How a command line hides the exit status of one of its commands. */
export type Mask = "sequence" | "background" | "pipe" | "negation" | "or" | "branch" | "substitution" | "syntax";

const MAX_DEPTH = 4;
/** Further commands of a line are ignored, because the commands of a turn are compared with one another. */
const MAX_COMMANDS = 1000;
const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh"]);

/** Splits a command line into the commands that it runs; text that is only quoted, commented or in a heredoc does not count. */
export function parseCommandLine(line: string): readonly ShellCommand[] {
  const walk: Walk = { commands: [], step: 0, shadowed: new Set() };
  try {
    walkLine(line, walk, { maskedBy: null, folder: ".", depth: 0, filters: [], statusShown: null });
  } catch (error) {
    // Functions nested deeper than the stack: a line that cannot be read.
    if (error instanceof RangeError) return [];
    throw error;
  }
  return walk.commands;
}

interface Walk {
  readonly commands: ShellCommand[];
  step: number;
  /** Functions and aliases: these names run something other than the programs. */
  readonly shadowed: Set<string>;
}

interface Place {
  readonly maskedBy: Mask | null;
  readonly folder: string | null;
  readonly depth: number;
  readonly filters: ShellCommand["filters"];
  readonly statusShown: StatusShown | null;
}

/** The folder that the commands after it run in. */
type Folder = string | null;

function walkLine(line: string, walk: Walk, place: Place): Folder {
  if (place.depth > MAX_DEPTH) return place.folder;
  const part = affordablePart(line);
  const script = parse(part);
  const isBroken = part.length < line.length || (script.errors ?? []).length > 0;
  return walkList(script.commands, walk, isBroken ? masked(place, "syntax") : place);
}

/** The same scope, in which a status may be lost; the outermost reason stays. */
function masked<Given extends Place>(place: Given, by: Mask): Given {
  return { ...place, maskedBy: place.maskedBy ?? by };
}

/** Commands after one another: only the last one decides, unless `set -e` ends the shell at the first failure. */
function walkList(statements: readonly Statement[], walk: Walk, place: Place): Folder {
  const passesStatusOn = exitsWithLastStatus(statements.at(-1));
  const lastDeciding = statements.length - (passesStatusOn ? 2 : 1);
  let folder = place.folder;
  let stopsAtFailure = false;
  let pipesFail = false;
  for (const [index, statement] of statements.entries()) {
    // Under `set -e` a failure inside `a && b` does not end the shell.
    const endsShell = stopsAtFailure && statement.command.type !== "AndOr";
    const decides = index >= lastDeciding || endsShell;
    const mask = statement.background === true ? "background" : decides ? null : "sequence";
    folder = walkNode(statement.command, walk, {
      ...place,
      maskedBy: place.maskedBy ?? mask,
      folder,
      pipesFail,
      statusShown: statusShown(statements, index) ?? place.statusShown,
    });
    if (place.maskedBy === null && isExit(statement)) break;
    const options = switchedOptions(statement);
    stopsAtFailure = options.get("e") ?? stopsAtFailure;
    pipesFail = options.get("pipefail") ?? pipesFail;
  }
  return folder;
}

/** Nothing after it runs. */
function isExit({ command, background }: Statement): boolean {
  return command.type === "Command" && command.name?.value === "exit" && background !== true;
}

type NodePlace = Place & { readonly pipesFail?: boolean };

function walkNode(node: PipelineNode | AndOr, walk: Walk, place: NodePlace): Folder {
  if (node.type === "AndOr") return walkAndOr(node, walk, place);
  walk.step += 1;
  return node.type === "Pipeline" ? walkPipeline(node, walk, place) : walkCommandNode(node, walk, place);
}

/** Of a pipeline only the last command decides, unless `set -o pipefail` is on. */
function walkPipeline(node: Pipeline, walk: Walk, place: NodePlace): Folder {
  const isNegated = node.prefixes.some(({ type }) => type === "Negation");
  const last = node.commands.length - 1;
  let folder = place.folder;
  for (const [index, command] of node.commands.entries()) {
    const decides = index === last || place.pipesFail === true;
    const mask = isNegated ? "negation" : decides ? null : "pipe";
    const isShown = place.statusShown !== null && (place.statusShown.isOfFirst ? index === 0 : decides);
    const after = walkCommandNode(command, walk, {
      ...place,
      maskedBy: place.maskedBy ?? mask,
      filters: [...node.commands.slice(index + 1).map(filterOf), ...place.filters],
      statusShown: isShown ? place.statusShown : null,
    });
    if (last === 0) folder = after;
  }
  return folder;
}

function filterOf(node: CommandNode): readonly string[] {
  return node.type === "Command" ? unwrap(wordsOf(node)) : [node.type];
}

function wordsOf({ name, args }: Command): readonly string[] {
  return [name, ...args].flatMap((word) => (word ? [word.type === "Word" ? word.value : word.text] : []));
}

/** In `a && b` both must have succeeded; in `a || b` neither is sure, unless `b` only passes the failure on. */
function walkAndOr(node: AndOr, walk: Walk, place: NodePlace): Folder {
  const isSure: boolean[] = node.commands.map(() => true);
  for (const [index, operator] of node.operators.entries()) {
    const right = node.commands[index + 1];
    if (operator === "&&" || (right && onlyFails(right))) continue;
    isSure.fill(false, 0, index + 2);
  }
  let folder = place.folder;
  for (const [index, command] of node.commands.entries()) {
    const here = isSure[index] === true ? place : masked({ ...place, statusShown: null }, "or");
    folder = walkNode(command, walk, { ...here, folder });
  }
  return folder;
}

function walkCommandNode(node: CommandNode, walk: Walk, place: NodePlace): Folder {
  switch (node.type) {
    case "Command":
      return walkCommand(node, walk, place);
    case "Redirected": {
      const targets = redirections(node.redirects);
      if (targets.to.length > 0) push(walk, place, ["{"], targets);
      return walkCommandNode(node.command, walk, place);
    }
    case "Subshell":
      walkList(node.body.commands, walk, place);
      return place.folder;
    case "BraceGroup":
      return walkList(node.body.commands, walk, place);
    case "TestCommand":
      push(walk, place, ["[["], NO_REDIRECTIONS);
      return place.folder;
    case "Function":
      walk.shadowed.add(node.name.value);
      return place.folder;
    case "Coproc":
    case "ArithmeticCommand":
      return place.folder;
    default:
      // Branches and loops: what is inside may have run, and its status may be lost.
      walkStatementsBelow(node, walk, masked(place, "branch"));
      return place.folder;
  }
}

function walkCommand(node: Command, walk: Walk, place: NodePlace): Folder {
  walkSubstitutions(node, walk, masked(place, "substitution"));
  const words = wordsOf(node);
  const argv = [...unwrap(words), ...optionsInEnvironment(node)];
  const [program = "", ...args] = argv;
  if (walk.shadowed.has(program)) return place.folder;
  if (program === "alias") for (const word of args) walk.shadowed.add(word.split("=")[0] ?? "");

  const inner = scriptOf(program, args, node);
  if (inner !== null) {
    walkLine(inner, walk, { ...place, depth: place.depth + 1 });
    return place.folder;
  }
  const path = words[words.length - argv.length] ?? program;
  push(walk, place, argv, { ...redirections(node.redirects), path, script: inlineScript(program, args, node) });
  if (CHANGES_FOLDER.has(program)) return changeFolder(place.folder, args);
  return place.folder;
}

/** Options that a runner takes from its environment: `PYTEST_ADDOPTS=--co pytest`. */
function optionsInEnvironment({ prefix }: Command): readonly string[] {
  return prefix.flatMap((part) =>
    part.type === "Assignment" && part.text.startsWith("PYTEST_ADDOPTS=")
      ? part.text.slice("PYTEST_ADDOPTS=".length).replaceAll(/["']/g, "").split(" ")
      : [],
  );
}

type Pushed = Redirections & Partial<Pick<ShellCommand, "path" | "script">>;

const CHANGES_FOLDER: ReadonlySet<string> = new Set(["cd", "pushd", "Set-Location", "Push-Location", "sl"]);

function push(walk: Walk, place: Place, argv: readonly string[], { to, from, path, script }: Pushed): void {
  if ((argv.length === 0 && to.length === 0) || walk.commands.length >= MAX_COMMANDS) return;
  const { step } = walk;
  walk.commands.push({
    argv,
    decides: place.maskedBy === null,
    maskedBy: place.maskedBy,
    step,
    folder: place.folder,
    redirectsTo: to,
    redirectsFrom: from,
    path: path ?? argv[0] ?? "",
    filters: place.filters,
    statusShown: place.statusShown,
    script: script ?? null,
  });
}

/** The script of a shell: `bash -lc '…'`, `eval '…'`, or a heredoc on its input. */
function scriptOf(program: string, args: readonly string[], node: Command): string | null {
  if (program === "eval") return args.join(" ");
  const taker = LINE_TAKERS.get(program);
  if (taker !== undefined) return args[args.findIndex((word) => taker.test(word)) + 1 || args.length] ?? null;
  if (!SHELLS.has(program)) return null;
  // `bash -n` only reads.
  if (args.some((word) => /^-[a-z]*n[a-z]*$/.test(word))) return args.some((word) => word.endsWith("c")) ? "" : null;
  const flag = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (flag !== -1) return args[flag + 1] ?? null;
  if (args.some((word) => !word.startsWith("-"))) return null;
  return heredocOf(node);
}

/** Programs that take a command line after an option. */
const LINE_TAKERS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({ "nix-shell": /^--run$/, script: /^-[a-z]*c$/, su: /^-c$/ }),
);

function heredocOf(node: Command): string | null {
  const heredoc = node.redirects.find((redirect) => redirect.type === "HereDoc");
  return heredoc?.type === "HereDoc" ? heredoc.body.text : null;
}

const INTERPRETERS = /^(?:python|pypy|node|ruby|perl|php|deno|bun|Rscript|julia|pwsh|powershell)[\d.]*$/;

function inlineScript(program: string, args: readonly string[], node: Command): string | null {
  if (!INTERPRETERS.test(program)) return null;
  const flag = args.findIndex((word) => /^(?:-[a-zA-Z]*[ce]|--eval|-Command)$/.test(word));
  return flag === -1 ? heredocOf(node) : (args[flag + 1] ?? null);
}

function walkSubstitutions(node: SyntaxNode, walk: Walk, place: Place): void {
  forEachChild(node, (child) => {
    if (child.type === "CommandExpansion" || child.type === "ProcessSubstitution") {
      if (child.script && place.depth < MAX_DEPTH)
        walkList(child.script.commands, walk, { ...place, depth: place.depth + 1 });
    } else {
      walkSubstitutions(child, walk, place);
    }
  });
}

function walkStatementsBelow(node: SyntaxNode, walk: Walk, place: Place): void {
  forEachChild(node, (child) => {
    if (child.type === "CompoundList") walkList(child.commands, walk, place);
    else if (child.type !== "Function") walkStatementsBelow(child, walk, place);
  });
}

function changeFolder(folder: Folder, args: readonly string[]): Folder {
  const target = args.find((word) => !word.startsWith("-"));
  if (args.length === 0) return "~";
  if (folder === null || target === undefined || /[$`*?]|^~[^/]/.test(target)) return null;
  const joined = joinPath(folder, target);
  return joined.length > MAX_FOLDER_LENGTH ? null : joined;
}

/** No system takes a longer one. */
const MAX_FOLDER_LENGTH = 4096;

/** Longer than any command line but one that carries a large file: the parser takes up to ten microseconds for a character. */
const LONGEST = 50_000;

/** Constructs that make the parser scan the whole rest of the line, and how many of them are affordable. */
const COSTLY: readonly { readonly opening: RegExp; readonly most: number }[] = [
  { opening: /\$\[|\$\(\(/g, most: 100 },
  { opening: /<</g, most: 1000 },
];

/** How many braces of one word may be open. */
const OPEN_BRACES = 100;

/** As much of a command line as can be parsed in reasonable time; all of it, unless it was built to be slow. */
export function affordablePart(line: string): string {
  const ends = [LONGEST, ...COSTLY.map(({ opening, most }) => placeOf(line, opening, most)), tooManyBraces(line)];
  return line.slice(0, Math.min(...ends));
}

/** Where the first one too many begins. */
function placeOf(line: string, opening: RegExp, most: number): number {
  let count = 0;
  for (const { index } of line.slice(0, LONGEST).matchAll(opening)) {
    count += 1;
    if (count > most) return index;
  }
  return Infinity;
}

function tooManyBraces(line: string): number {
  let open = 0;
  for (const { 0: character, index } of line.slice(0, LONGEST).matchAll(/[{}\s]/g)) {
    if (character === "{") open += 1;
    else open = character === "}" ? Math.max(0, open - 1) : 0;
    if (open > OPEN_BRACES) return index;
  }
  return Infinity;
}

/** `exit $?` or `return $?`: the status of the command before it is the line's. */
export function exitsWithLastStatus(statement: Statement | undefined): boolean {
  return statement?.command.type === "Command" && /^(?:exit|return) "?\$\?"?$/.test(textOf(statement.command));
}

/** `exit 1`, `return 2` or `false`: what follows `||` when the failure is to be passed on. */
export function onlyFails(node: PipelineNode): boolean {
  if (node.type === "BraceGroup" || node.type === "Subshell") {
    const last = node.body.commands.at(-1)?.command;
    return last !== undefined && last.type !== "AndOr" && onlyFails(last);
  }
  return node.type === "Command" && /^(?:false|(?:exit|return) [1-9]\d*|(?:exit|return) "?\$\?"?)$/.test(textOf(node));
}

function textOf(node: Command): string {
  const words: readonly (Word | { readonly text: string })[] = node.name ? [node.name, ...node.args] : node.args;
  return words.map(({ text }) => text).join(" ");
}
