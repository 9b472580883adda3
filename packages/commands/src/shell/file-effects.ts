import type { Redirection } from "unbash";
import type { ShellCommand } from "./parse-command-line.ts";
import { operandsOf } from "./unwrap.ts";

/** What a shell command does to files, as far as its words show. */
export interface FileEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Files that are deleted. */
  readonly removes: readonly string[];
  /** Files that git puts back into the state of a commit. */
  readonly restores: readonly string[];
  /** Files that are copied or moved, with where to. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
}

/** Programs that show the files they are given. */
const READERS: ReadonlySet<string> = new Set([
  "cat",
  "head",
  "tail",
  "less",
  "more",
  "nl",
  "bat",
  "batcat",
  "tac",
  "wc",
  "xxd",
  "od",
  "strings",
  "diff",
  "cmp",
]);

/** Programs whose first operand is a pattern or script, and whose others are files they show. */
const PATTERN_READERS: ReadonlySet<string> = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "ag",
  "awk",
  "gawk",
  "sed",
  "jq",
  "yq",
]);

/** Programs that write all of their operands. */
const WRITERS: ReadonlySet<string> = new Set(["tee", "rm", "touch", "truncate", "unlink", "shred"]);

/** Subcommands of git that put files of the work tree into another state. */
const GIT_WRITERS: ReadonlySet<string> = new Set(["checkout", "restore", "rm", "mv"]);

/** The files that a command reads and writes, as written. */
export function fileEffects({ argv, redirectsTo, redirectsFrom, script }: ShellCommand): FileEffects {
  const own = effectsOf(argv);
  return {
    reads: [...own.reads, ...redirectsFrom],
    writes: [...own.writes, ...redirectsTo, ...writtenBy(script ?? "")].filter(isName),
    removes: argv[0] === "rm" || argv[0] === "unlink" ? operandsOf(argv.slice(1)).filter(isName) : [],
    restores: argv[0] === "git" ? restoredBy(argv.slice(1)) : [],
    copies: copiesOf(argv),
  };
}

/** An expansion, a pattern or a script is not a file name. */
function isName(word: string): boolean {
  return !/[$`\n|;]|^s[#/|]/.test(word);
}

/** Calls with which programs write or remove files. */
const WRITING =
  /\bos\.(?:remove|unlink)\(|\.unlink\(|\b(?:rm|unlink)Sync\(|\bopen\([^)]*["'](?:[wa]\+?b?|r\+)["']|\.write_(?:text|bytes)\(|\bwriteFile(?:Sync)?\(|\bFile\.write\(/;

/** The files that an inline program names, if it writes any. */
function writtenBy(script: string): readonly string[] {
  if (!WRITING.test(script)) return [];
  return [...script.matchAll(/["']([\w@.:/ -]{1,200}\.[A-Za-z]\w{0,5})["']/g)].map(([, path = ""]) => path);
}

/** `git checkout -- a.ts`, `git restore a.ts`: with a path, not a branch. */
function restoredBy(args: readonly string[]): readonly string[] {
  const [subcommand = "", ...operands] = operandsOf(args, ["-C", "-c"]);
  if ((subcommand !== "checkout" && subcommand !== "restore") || args.includes("--staged")) return [];
  const dashes = args.indexOf("--");
  return dashes === -1 ? operands.filter(isPath) : args.slice(dashes + 1);
}

/** A branch or a tag such as `v1.2.3` is not a path. */
function isPath(word: string): boolean {
  return /\/|\.[A-Za-z]\w*$/.test(word) && !word.startsWith("origin/");
}

function copiesOf([program = "", ...args]: readonly string[]): FileEffects["copies"] {
  const [from, to, ...more] = operandsOf(args);
  const isCopy = (program === "cp" || program === "mv") && from !== undefined && to !== undefined && more.length === 0;
  return isCopy ? [{ from, to }] : [];
}

type Effects = Pick<FileEffects, "reads" | "writes">;

const NONE: Effects = { reads: [], writes: [] };

function effectsOf(argv: readonly string[]): Effects {
  const [program = "", ...args] = argv;
  const operands = operandsOf(args);
  if (isInPlaceEdit(program, args)) return { reads: [], writes: scriptOperands(args, operands) };
  if (READERS.has(program)) return { reads: operands, writes: [] };
  if (PATTERN_READERS.has(program)) return { reads: scriptOperands(args, operands), writes: [] };
  if (WRITERS.has(program)) return { reads: [], writes: operands };
  if (program === "cp" || program === "install" || program === "ln")
    return { reads: operands.slice(0, -1), writes: operands.slice(-1) };
  if (program === "mv") return { reads: [], writes: operands };
  if (program === "patch") return { reads: [], writes: operands.slice(0, 1) };
  if (program === "dd")
    return { reads: [], writes: args.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : [])) };
  // The index is not a file of the work tree.
  if (program === "git" && (args.includes("--staged") || args.includes("--cached"))) return NONE;
  if (program === "git") return gitEffects(operands);
  return NONE;
}

function isInPlaceEdit(program: string, args: readonly string[]): boolean {
  if (program === "perl" || program === "ruby") return args.some((word) => /^-[a-z]*i/.test(word));
  return (program === "sed" || program === "gsed") && args.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
}

/** The operands without the script, which is the first one unless `-e` or `-f` gives it. */
function scriptOperands(args: readonly string[], operands: readonly string[]): readonly string[] {
  const given = new Set(args.filter((_, index) => /^-[a-z]*[ef]$/.test(args[index - 1] ?? "")));
  return given.size > 0 ? operands.filter((word) => !given.has(word)) : operands.slice(1);
}

function gitEffects([subcommand = "", ...operands]: readonly string[]): Effects {
  if (GIT_WRITERS.has(subcommand)) return { reads: [], writes: operands.filter(isPath) };
  if (subcommand === "diff" || subcommand === "show" || subcommand === "blame") return { reads: operands, writes: [] };
  return NONE;
}

/** Programs that change nothing but how code looks. */
export function isFormatter({ argv }: ShellCommand): boolean {
  return /^(?:prettier|oxfmt|black|isort|gofmt|goimports|gofumpt|rustfmt|clang-format|dprint|swiftformat)\b|\b(?:fmt|format)\b/.test(
    argv.join(" "),
  );
}

/** Formatters, and linters that fix what they find. */
export function isTidier(command: ShellCommand): boolean {
  return isFormatter(command) || /\b(?:fix|lint-fix|autofix)\b|\s--(?:fix|write)\b/.test(command.argv.join(" "));
}

/** The files that a command's input and output are redirected to. */
export interface Redirections {
  readonly to: readonly string[];
  readonly from: readonly string[];
}

/** A command without redirections. */
export const NO_REDIRECTIONS: Redirections = { to: [], from: [] };

/** The files among redirections; descriptors and `/dev/null` do not count. */
export function redirections(redirects: readonly Redirection[]): Redirections {
  const to: string[] = [];
  const from: string[] = [];
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || !redirect.target) continue;
    const { operator, target } = redirect;
    if (operator === "<") from.push(target.value);
    else if (operator !== "<&" && !(operator === ">&" && /^(?:\d+|-)$/.test(target.value))) to.push(target.value);
  }
  return { to: to.filter((file) => file !== "/dev/null"), from };
}
