import { operandsOf } from "./operands-of.ts";
import type { ShellCommand } from "./parse-command-line.ts";

/** What a shell command does to files, as far as its words tell. */
export interface FileEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
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
const GIT_WRITERS: ReadonlySet<string> = new Set(["checkout", "restore", "rm", "mv", "apply"]);

/** The files that a command reads and writes, as written. */
export function fileEffects({ argv, redirectsTo, redirectsFrom }: ShellCommand): FileEffects {
  const own = effectsOf(argv);
  return { reads: [...own.reads, ...redirectsFrom], writes: [...own.writes, ...redirectsTo] };
}

const NONE: FileEffects = { reads: [], writes: [] };

function effectsOf(argv: readonly string[]): FileEffects {
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

function gitEffects([subcommand = "", ...operands]: readonly string[]): FileEffects {
  if (GIT_WRITERS.has(subcommand)) return { reads: [], writes: operands };
  if (subcommand === "diff" || subcommand === "show" || subcommand === "blame") return { reads: operands, writes: [] };
  return NONE;
}
