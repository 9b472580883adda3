/** Programs that keep the beginning of an output, or lines by their number. */
const BEGINNINGS: ReadonlySet<string> = new Set(["head"]);

const GREPS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg", "ag", "Select-String", "findstr"]);

/** Words in a pattern that lets the lines of a failure through. */
const BAD = /fail|error|not ok|panic|✗|✘|×|✖|exit|FAIL|\bE\b|warn|exception|undefined/i;

/** Words in a pattern that lets a runner's closing counts through, whatever they are. */
const COUNTS = /tests?\b|passed|passing|pass\b|result|summary|total|suites?|ran\b|examples|\\d|\[0-9\]/i;

type Filters = readonly (readonly string[])[];

/** Whether what an output goes through may keep the good lines only: `| grep ok`, `| head -5`. */
export function hidesFailures(filters: Filters): boolean {
  return filters.some(([program = "", ...args]) => {
    if (BEGINNINGS.has(program) || (program === "Select-Object" && args.includes("-First"))) return true;
    if (program === "sed") return args.includes("-n");
    if (!GREPS.has(program)) return false;
    const pattern = patternOf(args);
    return isInverted(args)
      ? BAD.test(pattern)
      : !BAD.test(pattern) && (!COUNTS.test(pattern) || /\bok\b/.test(pattern));
  });
}

/** Whether what an output goes through leaves only what went wrong, so that silence is good news: `| grep FAIL`, `| grep -v ^ok`. */
export function showsOnlyFailures(filters: Filters): boolean {
  return (
    !hidesFailures(filters.filter(([program]) => program !== "head")) &&
    filters.some(
      ([program = "", ...args]) =>
        GREPS.has(program) && (isInverted(args) ? !BAD.test(patternOf(args)) : BAD.test(patternOf(args))),
    )
  );
}

function isInverted(args: readonly string[]): boolean {
  return args.some((word) => /^-[a-zA-Z]*v[a-zA-Z]*$/.test(word) || word === "--invert-match");
}

function patternOf(args: readonly string[]): string {
  return args.filter((word) => !word.startsWith("-")).join(" ");
}
