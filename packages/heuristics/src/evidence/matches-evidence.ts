import { operandsOf } from "../shell/operands-of.ts";
import { unwrap } from "../shell/unwrap.ts";
import { TARGET_RUNNERS, VALUED_OPTIONS } from "../shell/wrappers.ts";

/** Options with which a command only tells what it would do. */
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

/** Whether a command that ran is the one that a rule names, and did more than tell what it would do. */
export function matchesEvidence(argv: readonly string[], evidence: string): boolean {
  return namesEvidence(argv, evidence) && !onlyTells(argv);
}

/**
 * Whether a command is the one that a rule names, with or without the wrapper that the rule names too (`uv run pytest`).
 * Words are compared, not letters: `make restart` is met by `make -s lint restart`, not by `make restart-docs`.
 */
export function namesEvidence(argv: readonly string[], evidence: string): boolean {
  // A wrapper is taken off by leaving words and folders out, so what is named stands in the rule as it is.
  if (!evidence.includes(argv[0] ?? "")) return false;
  return waysToSay(evidence).some((wanted) => isCall(argv, wanted));
}

const known = new Map<string, readonly (readonly string[])[]>();

/** The words of a rule's command, with its wrapper and without; looked up, since a rule meets every command of a turn. */
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

/** Whether a command only tells what it would do: `make -n restart`. */
function onlyTells([program = "", ...args]: readonly string[]): boolean {
  const short = ONLY_TELLS_SHORT.get(program) ?? [];
  return args.some((word) => ONLY_TELLS.has(word) || short.includes(word));
}

/** `-SIGUSR2` and `-USR2` are one signal. */
function signal(option: string): string {
  return option.replace(/^-SIG(?=[A-Z])/, "-");
}
