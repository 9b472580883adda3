import { knownRun, type RunKind } from "@agent-checkpoint/commands";
import type { Language } from "@agent-checkpoint/reports";

/** What a command is for. */
export type CommandKind = Exclude<RunKind, "commit"> | "other";

/** What a program does, with the words by which it was recognised. */
export interface Recognised {
  readonly kind: CommandKind;
  readonly languages: readonly Language[];
  /** Its words without the path before the program. */
  readonly words: string;
  readonly call: string;
}

/** Options with which a formatter or linter only looks. */
const CHECKS =
  /\s(?:--check|-c|-l|-d|--list-different|--diff|--check-formatted|--set-exit-if-changed|-check|-n|--dry-run|-Werror|check)\b|^(?:\S*\/)?biome format\b|[:_-]check\b/;
const MENDS = /\s--(?:fix|write|apply|mend)\b/;

/** A server that tests talk to. */
const SERVER = /^(?:node|python\d?|ruby|php) (?:\S*[/_-])?server\.\w+(?: |$)/;

/** What a command does, if its program is known. What rewrites files is no check of them. */
export function recognise(command: string): Recognised | null {
  if (/^(?:cargo|go) run .*(?:schema|gen)/.test(command))
    return { kind: "generate", languages: [], words: command, call: command };
  if (SERVER.test(command)) return null;
  const bare = command.replace(/^(?:(?:pnpm|yarn|bun)(?: run)?|npm run) (?=\S)/, "");
  for (const line of command === bare ? [command] : [command, bare]) {
    const [program = "", ...args] = line.split(" ");
    const found = knownRun([program.slice(program.lastIndexOf("/") + 1), ...args]);
    if (found === null || found.kind === "run" || found.kind === "commit") continue;
    if ((found.kind === "format" && !CHECKS.test(line)) || MENDS.test(line)) continue;
    const words = found.words.join(" ");
    return { kind: found.kind, languages: found.languages, words, call: [program, ...found.words.slice(1)].join(" ") };
  }
  return null;
}

/** Words in the name of a script or target that tell its language. */
const NAME_WORDS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:js|ts|javascript|typescript|node|frontend|ui|client|jest|vitest|web)$/, "javascript"],
  [/^(?:py|python|backend|pytest)$/, "python"],
  [/^(?:rust|cargo|rs)$/, "rust"],
  [/^(?:go|golang)$/, "go"],
  [/^(?:ruby|rb|rspec)$/, "ruby"],
  [/^(?:php|phpunit)$/, "php"],
  [/^(?:java|kotlin|jvm)$/, "java"],
];

/** The words of a script's or target's name. */
export function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The languages that a name tells. */
export function languagesOfName(name: string): readonly Language[] {
  return nameWords(name).flatMap((word) =>
    NAME_WORDS.filter(([pattern]) => pattern.test(word)).map(([, language]) => language),
  );
}

/** What a name alone tells, if the body says nothing. */
export function kindOfName(name: string): CommandKind {
  const words = nameWords(name);
  const [first = ""] = words;
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (/^(?:tests?|specs?|runtests?|pytest|rspec|unittests?|phpunit|eunit|ct)$/.test(first)) return "test";
  if (
    words.length === 2 &&
    /^(?:tests?|specs?)$/.test(words[1] ?? "") &&
    /^(?:unit|run|all|ci|integration|js|py|go|rust|web|api|e2e|cargo|python|backend|frontend)$/.test(first)
  )
    return "test";
  if (has(/^(?:typecheck|types|tsc|mypy|typing)$/) || /^(?:type-?check|check-?types)/.test(words.join("-")))
    return "types";
  if (first === "lint" && !has(/^fix$/)) return "lint";
  if (/^(?:format|fmt)-check|^check-(?:format|fmt)/.test(words.join("-"))) return "format";
  if (has(/^(?:migrate|migrations?)$/) && !has(/^(?:test|make|create|new|down|rollback|status)$/)) return "migrate";
  if (has(/^(?:generate|codegen|jsonschema|schema|proto|protobuf|gen)$/) && !has(/^(?:clean|docs?|check)$/))
    return "generate";
  if (/^(?:build|compile|dist)$/.test(first)) return "build";
  if (/^(?:start|dev|serve|run|watch)$/.test(first)) return "run";
  return "other";
}
