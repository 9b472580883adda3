import { operandsOf, TARGET_RUNNERS, unwrap, VALUED_OPTIONS } from "@agent-checkpoint/commands";
import type { Turn } from "../turn/read-turn.ts";
import { outcomeOf, type Sighting } from "./find-runs.ts";

/** The evidence for a command: that it succeeded in time, or why the runs that were seen do not count. */
export type Evidence =
  | { readonly status: "absent" }
  | {
      readonly status: "found" | "stale" | "failed" | "masked" | "unfinished" | "empty";
      readonly sighting: Sighting;
    };

/** Looks for a successful run of one of the commands in the project, later than `after`. */
export function findEvidence(turn: Turn, commands: readonly string[], after: number): Evidence {
  return latestOf(
    findSightings(turn, commands).filter(({ command }) => command.isInProject),
    after,
  );
}

/** The evidence among runs of the same thing: the latest success counts, and without one the latest run shows why not. */
export function latestOf(sightings: readonly Sighting[], after: number): Evidence {
  const good = sightings.findLast(({ outcome }) => outcome === "succeeded");
  if (good) return { status: good.command.order >= after ? "found" : "stale", sighting: good };
  const last = sightings.at(-1);
  if (last === undefined || last.outcome === "succeeded") return { status: "absent" };
  return { status: last.outcome, sighting: last };
}

/** The runs of one of the commands in the turn, wherever they ran, in order. */
export function findSightings(turn: Turn, commands: readonly string[]): readonly Sighting[] {
  return turn.calls.flatMap((call) =>
    call.commands
      .filter(({ argv }) => commands.some((wanted) => matchesEvidence(argv, wanted)))
      .map((command) => ({ call, command, outcome: outcomeOf(call, command) })),
  );
}

/** Options with which a command only prints what it would do. */
const ONLY_TELLS: ReadonlySet<string> = new Set([
  "--help",
  "--version",
  "--dry-run",
  "--collect-only",
  "--co",
  "--listTests",
  "--no-run",
  "--setup-plan",
  "--fixtures",
]);

/** The same, under letters that mean other things elsewhere. */
const ONLY_TELLS_SHORT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ["-n", "-q", "-p", "--just-print", "--recon", "--question"],
    pytest: ["-h", "-V"],
    just: ["-l", "--list", "-n"],
    pip: ["-h"],
  }),
);

/** Whether a command that ran is the one that a rule names, and did more than print what it would do. */
export function matchesEvidence(argv: readonly string[], evidence: string): boolean {
  return namesEvidence(argv, evidence) && !onlyTells(argv);
}

/**
 * Whether a command is the one that a rule names, with or without the wrapper that the rule names too (`uv run pytest`).
 * Words are compared, not letters: `make restart` is met by `make -s lint restart`, not by `make restart-docs`.
 */
export function namesEvidence(argv: readonly string[], evidence: string): boolean {
  // A wrapper is stripped by leaving out words and folders, so the command stands in the rule as written.
  if (!evidence.includes(argv[0] ?? "")) return false;
  return waysToSay(evidence).some((wanted) => isCall(argv, wanted));
}

const known = new Map<string, readonly (readonly string[])[]>();

/** The words of a rule's command, with and without its wrapper; cached, since a rule is compared with every command of a turn. */
function waysToSay(evidence: string): readonly (readonly string[])[] {
  const found = known.get(evidence);
  if (found !== undefined) return found;
  const wanted = evidence.split(" ").filter((word) => word !== "");
  const ways = [wanted, unwrap(wanted)];
  known.set(evidence, ways);
  return ways;
}

function isCall(argv: readonly string[], wanted: readonly string[]): boolean {
  const program = argv[0] ?? "";
  if (program !== (wanted[0] ?? "")) return false;
  const [args, words] = [argv.slice(1), wanted.slice(1)];
  const options = words.filter((word) => word.startsWith("-")).map(signal);
  const targets = words.filter((word) => !word.startsWith("-"));
  const operands = operandsOf(args, VALUED_OPTIONS.get(program) ?? []);
  const hasTargets = TARGET_RUNNERS.has(program)
    ? targets.every((target) => operands.includes(target))
    : targets.every((target, index) => operands[index] === target);
  return hasTargets && options.every((option) => args.map(signal).includes(option));
}

/** Whether a command only prints what it would do: `make -n restart`. */
function onlyTells([program = "", ...args]: readonly string[]): boolean {
  const short = ONLY_TELLS_SHORT.get(program) ?? [];
  return args.some((word) => ONLY_TELLS.has(word) || short.includes(word));
}

/** `-SIGUSR2` and `-USR2` are one signal. */
function signal(option: string): string {
  return option.replace(/^-SIG(?=[A-Z])/, "-");
}
