import type { PlacedCommand, TurnCall } from "./read-turn.ts";

/** Commands that do not fail for a reason worth a word. */
const TRIVIAL: ReadonlySet<string> = new Set([
  "cd",
  "echo",
  "printf",
  "true",
  ":",
  "sleep",
  "export",
  "set",
  "source",
  ".",
  "pushd",
  "popd",
  "unset",
  "umask",
  "ulimit",
  "{",
]);

/** Programs that answer "no" with exit status 1. */
const SEARCHES: ReadonlySet<string> = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "ag",
  "ack",
  "diff",
  "cmp",
  "test",
  "[",
  "[[",
  "pgrep",
]);

/** The commands of a failed call that its status may have come from. */
export function commandsThatMayHaveFailed({ commands }: TurnCall): readonly PlacedCommand[] {
  const serious = commands.filter(({ argv }) => argv.length > 0 && !TRIVIAL.has(argv[0] ?? ""));
  const deciding = serious.filter(({ decides }) => decides);
  return deciding.length > 0 ? deciding : serious;
}

/** Whether the call "failed" only because a search or comparison said no. */
export function isSearchWithoutMatch(call: TurnCall): boolean {
  const { exitCode } = call.record;
  if (exitCode !== null && exitCode !== 1) return false;
  const suspects = commandsThatMayHaveFailed(call);
  return suspects.length > 0 && suspects.every(({ argv }) => isSearch(argv));
}

function isSearch([program = "", subcommand = ""]: readonly string[]): boolean {
  return SEARCHES.has(program) || (program === "git" && (subcommand === "grep" || subcommand === "diff"));
}
