import type { Statement } from "unbash";
import { VALUED_OPTIONS, type Wrapper, WRAPPERS } from "./wrappers.ts";

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
const PYTHON = /^(?:python|pypy)(?:\d+(?:\.\d+)*)?$|^py$/;

/**
 * The program that really runs, with its arguments.
 * Strips wrappers, folders and extensions: `sudo timeout 60 .venv/bin/python -m pytest -q` is `pytest -q`.
 */
export function unwrap(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let previous = -1, layer = 0; rest.length !== previous && rest.length > 0 && layer < MAX_LAYERS; layer += 1) {
    previous = rest.length;
    rest = withoutWrapper(withBareName(withoutAssignments(rest)));
  }
  return withModule(rest);
}

/** More layers than anyone uses; each is a copy of the words. */
const MAX_LAYERS = 32;

function withoutAssignments(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  return start === -1 ? [] : words.slice(start);
}

function withBareName(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  const name = first.slice(first.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
  return [name === "" ? first : name, ...rest];
}

function withoutWrapper(words: readonly string[]): readonly string[] {
  const program = WITH_OPTIONS_FIRST.has(words[0] ?? "") ? withoutFirstOptions(words) : words;
  const wrapper = WRAPPERS.find((row) => row.words.every((word, index) => program[index] === word));
  if (!wrapper) return words;
  return innerOf(program, wrapper) ?? words;
}

/** Wrappers that take options before their subcommand: `docker compose -f test.yml run api pytest`. */
const WITH_OPTIONS_FIRST: ReadonlySet<string> = new Set(["docker", "docker-compose", "podman", "poetry", "uv"]);

function withoutFirstOptions(words: readonly string[]): readonly string[] {
  const [program = "", ...args] = words;
  const valued = VALUED_OPTIONS.get(program) ?? [];
  const names: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (valued.includes(word)) at += 1;
    else if (!word.startsWith("-")) {
      names.push(word);
      if (word !== "compose") return [program, ...names, ...args.slice(at + 1)];
    }
  }
  return words;
}

/** What a wrapper runs; null if it runs nothing. */
function innerOf(words: readonly string[], wrapper: Wrapper): readonly string[] | null {
  const own = words.slice(wrapper.words.length);
  const until = own.findIndex((word) => wrapper.until?.includes(word) === true);
  if (until !== -1) return until + 1 < own.length ? own.slice(until + 1) : null;
  let at = wrapper.words.length;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (wrapper.tells?.includes(word) === true || word === "--help" || word === "--version") return null;
    if (word === "--") {
      at += 1;
      break;
    }
    if (wrapper.valued?.includes(word) === true) at += 2;
    else if (word.startsWith("-") || (wrapper.assignments === true && ASSIGNMENT.test(word))) at += 1;
    else break;
  }
  const inner = words.slice(at + (wrapper.operands ?? 0));
  // `hatch run test:unit` runs a script of that name, not the shell's own `test`.
  return inner.length === 0 || /^tests?(?::|$)/.test(inner[0] ?? "") ? null : inner;
}

/** `python -X dev -m pytest -q` is `pytest -q`. */
function withModule(words: readonly string[]): readonly string[] {
  const [program = "", ...args] = words;
  if (!PYTHON.test(program)) return words;
  let at = 0;
  while (args[at]?.startsWith("-") === true && args[at] !== "-m") at += args[at] === "-X" || args[at] === "-W" ? 2 : 1;
  const module = args[at] === "-m" ? args[at + 1] : undefined;
  // The shell has a built-in with the name of Python's own suite.
  return module === undefined ? words : [module === "test" ? "regrtest" : module, ...args.slice(at + 2)];
}

/** The arguments that are not options; `--` ends the options. Options that take a value in the next word are named. */
export function operandsOf(args: readonly string[], valued: readonly string[] = []): readonly string[] {
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") return [...operands, ...args.slice(index + 1)];
    if (valued.includes(word)) index += 1;
    else if (!word.startsWith("-") || word === "-") operands.push(word);
  }
  return operands;
}

/** The options that a `set` switches on and off, by letter or by name after `-o`; operands end them. */
export function switchedOptions({ command }: Statement): ReadonlyMap<string, boolean> {
  const switched = new Map<string, boolean>();
  if (command.type !== "Command" || command.name?.value !== "set") return switched;
  const words = command.args.map((word) => (word.type === "Word" ? word.value : word.text)).values();
  for (const word of words) {
    if (!/^[-+][A-Za-z]+$/.test(word)) break;
    const isOn = word.startsWith("-");
    for (const letter of word.slice(1)) {
      const option = letter === "o" ? words.next().value : letter;
      if (option !== undefined) switched.set(option === "errexit" ? "e" : option, isOn);
    }
  }
  return switched;
}
