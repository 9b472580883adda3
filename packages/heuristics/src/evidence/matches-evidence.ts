import { operandsOf } from "../shell/operands-of.ts";
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

/**
 * Whether a command that ran is the one that a rule names.
 * Words are compared, not letters: `make restart` is met by `make -s lint restart`, not by `make restart-docs`.
 */
export function matchesEvidence(argv: readonly string[], evidence: string): boolean {
  const [program = "", ...args] = argv;
  const [wanted = "", ...words] = evidence.split(" ").filter((word) => word !== "");
  if (program !== wanted || onlyTells(program, args)) return false;
  const options = words.filter((word) => word.startsWith("-")).map(signal);
  const targets = words.filter((word) => !word.startsWith("-"));
  const operands = operandsOf(args, VALUED_OPTIONS.get(program) ?? []);
  const hasTargets = TARGET_RUNNERS.has(program)
    ? targets.every((target) => operands.includes(target))
    : targets.every((target, index) => operands[index] === target);
  return hasTargets && options.every((option) => args.map(signal).includes(option));
}

function onlyTells(program: string, args: readonly string[]): boolean {
  const short = ONLY_TELLS_SHORT.get(program) ?? [];
  return args.some((word) => ONLY_TELLS.has(word) || short.includes(word));
}

/** `-SIGUSR2` and `-USR2` are one signal. */
function signal(option: string): string {
  return option.replace(/^-SIG(?=[A-Z])/, "-");
}
