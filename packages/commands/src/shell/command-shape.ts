import { redact } from "@agent-checkpoint/redaction";
import { languagesOfFile } from "@agent-checkpoint/reports";
import { type Command, type CommandArgument, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import { affordablePart } from "./parse-command-line.ts";
import { unwrap } from "./unwrap.ts";
import { TARGET_RUNNERS, WRAPPERS } from "./wrappers.ts";

/** Stands for every part of a command that is not shown. */
const HIDDEN = "…";

/**
 * A foreign command line with only its shape: programs, sub-commands, scripts, targets, names of options and source
 * paths. Values of options and variables, URLs, other arguments, here-documents and comments become `…`.
 *
 * It is a list of what may be shown, because no list of what a secret looks like is ever complete.
 */
export function commandShape(line: string): string {
  const part = affordablePart(line);
  // Known secrets are removed first: the text around a name may be what marks it as one.
  const shape = shapeOfLine(redact(part), 0);
  const isCut = part.length < line.length || shape.length > MAX_LENGTH;
  return tidy(shape.slice(0, MAX_LENGTH) + (isCut ? ` ${HIDDEN}` : ""));
}

const MAX_LENGTH = 1000;

/** The shape of a command that was split into words. */
export function shapeOfWords(words: readonly string[]): string {
  return tidy(shownWords(words).join(" "));
}

const MAX_DEPTH = 2;

function shapeOfLine(line: string, depth: number): string {
  const spans: Span[] = [];
  try {
    collect(parse(line), spans, depth);
  } catch (error) {
    if (error instanceof RangeError) return HIDDEN;
    throw error;
  }
  let shape = "";
  let at = 0;
  for (const { start, end, text } of spans.toSorted((one, other) => one.start - other.start)) {
    // A here-document follows the rest of its line, inside the words after it.
    if (start < at) continue;
    shape += between(line.slice(at, start)) + text;
    at = end;
  }
  return tidy(shape + between(line.slice(at)));
}

/** A piece of the line, and what is shown of it. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What may stand between commands and words: operators, brackets and the words of the shell's grammar. */
const GRAMMAR = /^(?:[\s;&|(){}!]|\\\n|\b(?:if|then|elif|else|fi|for|in|while|until|do|done|case|esac|time)\b)*$/;

function between(gap: string): string {
  if (!GRAMMAR.test(gap)) return ` ${HIDDEN} `;
  const joined = gap.replaceAll("\\\n", " ");
  return joined.includes("\n") && joined.trim() === "" ? "; " : joined;
}

function tidy(shape: string): string {
  return shape
    .replaceAll(/[\s;]+/g, (run) => (run.includes(";") ? "; " : " "))
    .replaceAll(/…(?:;? ?…)+/g, HIDDEN)
    .replaceAll(/^;? |;? $/g, "");
}

function collect(node: SyntaxNode, spans: Span[], depth: number): void {
  if (node.type === "Command") return collectCommand(node, spans, depth);
  forEachChild(node, (child) => {
    if (child.type === "Redirect" || child.type === "HereDoc" || child.type === "HereString") {
      spans.push(shownRedirection(child));
    } else if (child.type !== "Word") {
      collect(child, spans, depth);
    }
  });
}

function collectCommand({ name, prefix, args, redirects }: Command, spans: Span[], depth: number): void {
  for (const part of prefix) if (part.type === "Assignment") spans.push(spanOf(part, `${part.name}=${HIDDEN}`));
  for (const redirection of redirects) spans.push(shownRedirection(redirection));
  const words = name === undefined ? args : [name, ...args];
  const values = words.map(valueOf);
  const shown = shownWords(values);
  const script = scriptAt(values);
  for (const [index, word] of words.entries()) {
    const inner = index === script && depth < MAX_DEPTH ? `'${shapeOfLine(values[index] ?? "", depth + 1)}'` : null;
    spans.push(spanOf(word, inner ?? shown[index] ?? HIDDEN));
  }
}

function spanOf({ pos, end }: { readonly pos: number; readonly end: number }, text: string): Span {
  return { start: pos, end, text };
}

function valueOf(word: CommandArgument): string {
  return word.type === "Word" ? word.value : word.text;
}

/** Where a shell is given a command line: `bash -lc '…'`. */
function scriptAt([program = "", ...args]: readonly string[]): number | null {
  if (!/(?:^|\/)(?:ba|z|da|k)?sh$/.test(program)) return null;
  const flag = args.findIndex((word) => /^-[a-z]{0,3}c$/.test(word));
  return flag === -1 ? null : flag + 2;
}

function shownRedirection(redirection: Redirection): Span {
  const { operator, target } = "target" in redirection ? redirection : { ...redirection, target: undefined };
  const descriptor = redirection.descriptor?.type === "FileDescriptor" ? String(redirection.descriptor.value) : "";
  const isPlain = target !== undefined && /^(?:\/dev\/null|&?[0-9-])$/.test(target.value);
  return spanOf(redirection, `${descriptor}${operator}${isPlain ? target.value : HIDDEN}`);
}

const WRAPPING: ReadonlySet<string> = new Set(WRAPPERS.flatMap(({ words }) => words));

const PYTHON = /(?:^|\/)(?:python|pypy)[\d.]*$/;

/** What is shown of each word of one command. */
function shownWords(words: readonly string[]): readonly string[] {
  const start = Math.max(0, words.length - unwrap(words).length);
  const wrapping = words.slice(0, start).map((word, index) => {
    if (WRAPPING.has(word) || /^\d{1,3}[smh]?$/.test(word)) return word;
    const isProgram = index === 0 || PYTHON.test(word);
    return (isProgram ? shownProgram(word) : shownOption(word)) ?? shownAssignment(word) ?? HIDDEN;
  });
  return [...wrapping, ...shownCall(words.slice(start))];
}

function shownCall([typed, ...args]: readonly string[]): readonly string[] {
  if (typed === undefined) return [];
  const program = typed.slice(typed.lastIndexOf("/") + 1);
  let names = SUB_COMMANDS.get(program) ?? (TARGET_RUNNERS.has(program) ? Infinity : 0);
  let previous = "";
  const shown = args.map((word) => {
    const isValue = takesValue(previous);
    previous = word;
    const option = shownOption(word) ?? shownAssignment(word);
    if (option !== null) return option;
    if (names > 0 && !isValue) {
      names += (MORE_NAMES.get(word) ?? 0) - 1;
      if (isName(word)) return word;
    }
    if (isSourcePath(word, program)) {
      names = Math.max(names, SUB_COMMANDS.get(word.slice(word.lastIndexOf("/") + 1)) ?? 0);
      return word;
    }
    return HIDDEN;
  });
  return [shownProgram(typed) ?? HIDDEN, ...shown];
}

/** How many names follow a program: those of sub-commands and scripts. A target runner takes any number. */
const SUB_COMMANDS: ReadonlyMap<string, number> = new Map(
  [
    "git hg jj npm pnpm yarn bun deno npx cargo go rustup dotnet swift flutter dart zig mix stack cabal composer bundle",
    "rails artisan manage.py django-admin flask alembic prisma poetry pdm hatch tox pip pip3 conda brew apt apt-get",
    "vitest playwright cypress ng nx next nuxt vite astro lerna rush changeset ruff pre-commit lefthook bazel systemctl",
    "helm terraform tofu pulumi vercel netlify supabase firebase heroku fly flyctl wrangler",
  ]
    .flatMap((programs) => programs.split(" ").map((program): [string, number] => [program, 1]))
    .concat("docker podman kubectl gh glab aws gcloud az uv".split(" ").map((program) => [program, 2])),
);

/** Sub-commands that are followed by the name of a script or package. */
const MORE_NAMES: ReadonlyMap<string, number> = new Map([
  ["run", 1],
  ["run-script", 1],
  ["workspace", 2],
]);

/** Options that take no value in the next word, whatever the program; any other may. */
const SWITCHES: ReadonlySet<string> = new Set(
  "-- -r -s -q -v -y -k -B --silent --quiet --verbose --recursive --workspaces --if-present --no-install --yes".split(
    " ",
  ),
);

function takesValue(option: string): boolean {
  return option.startsWith("-") && !option.includes("=") && !SWITCHES.has(option) && !/^-[A-Za-z]?\d+$/.test(option);
}

/** Options of one dash that are words, not the letter of an option with its value. */
const ONE_DASH: ReadonlySet<string> = new Set(
  "-run -race -count -timeout -short -cover -bench -auto-approve".split(" "),
);

/** The name of an option, without its value; the letters of a short one may be a value, so few of them are shown. */
function shownOption(word: string): string | null {
  if (!word.startsWith("-")) return null;
  if (/^(?:--?|-\d{1,4}|-[A-Za-z]{1,2}|-([A-Za-z])\1*)$/.test(word) || ONE_DASH.has(word)) return word;
  const [name = "", value] = word.split("=");
  if (/^--[A-Za-z]/.test(name) && isName(name.slice(2))) return value === undefined ? name : `${name}=${HIDDEN}`;
  return `${/^-[A-Za-z]/.exec(word)?.[0] ?? ""}${HIDDEN}`;
}

function shownAssignment(word: string): string | null {
  const name = /^(?<name>[A-Za-z_]\w*)=/.exec(word)?.groups?.["name"];
  return name === undefined ? null : `${isName(name) ? name : ""}=${HIDDEN}`;
}

function shownProgram(word: string): string | null {
  return word.split("/").every((part) => part === "" || isSegment(part)) ? word : null;
}

const CHANGES_FOLDER: ReadonlySet<string> = new Set(["cd", "pushd"]);
const SOURCE_FOLDERS: ReadonlySet<string> = new Set(
  "test tests spec specs e2e __tests__ src lib app apps packages crates cmd internal pkg scripts tools".split(" "),
);

/** A path to sources or tests, with the name of a test after it: `tests/test_a.py::test_b`. */
function isSourcePath(word: string, program: string): boolean {
  const [path = "", ...names] = word.split("::");
  const segments = path.replace(/:\d{1,5}$/, "").split("/");
  if (
    segments.length > MAX_SEGMENTS ||
    !segments.every((part, index) => isSegment(part) || (part === "" && index === 0))
  )
    return false;
  const [first = ""] = segments;
  const isKnown =
    CHANGES_FOLDER.has(program) || first === "." || first === ".." || SOURCE_FOLDERS.has(first) || isSource(path);
  return isKnown && names.every(isName);
}

const MAX_SEGMENTS = 20;

function isSource(path: string): boolean {
  return languagesOfFile(path.replace(/:\d{1,5}$/, "")).length > 0;
}

function isSegment(part: string): boolean {
  return /^(?:\.{1,3}|~|\*{1,2})$/.test(part) || isName(part.replace(/^\./, "").replaceAll("*", ""));
}

const MAX_NAME_LENGTH = 60;
const MAX_PART_LENGTH = 24;
/** A word of letters in one case or in camel case, followed by a version number or not. */
const WORD = /^(?:[a-z]+|[A-Z]+|[a-z]*(?:[A-Z][a-z]+)+[A-Z]{0,3})\d{0,4}$/;

/**
 * Whether a word reads as the name of something: words of letters with signs between them. A token does not: it mixes
 * letters and digits. One short mixture is a word such as `e2e`, and two numbers are a version.
 */
function isName(word: string): boolean {
  if (word.length > MAX_NAME_LENGTH || !/^[@_]*[A-Za-z0-9][\w.:+@-]*$/.test(word)) return false;
  const parts = word
    .split(/[_.:+@-]+/)
    .filter((part) => part !== "" && !(part.length <= MAX_PART_LENGTH && WORD.test(part)));
  const numbers = parts.filter((part) => /^\d{1,4}$/.test(part));
  return numbers.length <= 2 && parts.length - numbers.length <= 1 && parts.every((part) => part.length <= 4);
}
