import { commandsThatMayHaveFailed, isSearchWithoutMatch } from "../evidence/find-runs.ts";
import { isResolved } from "../failures/is-resolved.ts";
import { stayedRed } from "../failures/stayed-red.ts";
import { inlineCode } from "../foreign-text.ts";
import { commandShape, type ProjectPlace, runOf } from "@agent-checkpoint/commands";
import type { TurnCall } from "../turn/read-turn.ts";
import type { Check } from "./check.ts";

/** A kind of failure: how its sentence begins and what it asks to verify. */
interface FailureKind {
  readonly opening: string;
  readonly verify: string;
  readonly isOf: (call: TurnCall) => boolean;
}

/** Tried in this order: an import error comes with a traceback too. */
const KINDS: readonly FailureKind[] = [
  {
    opening: "Import errors remain",
    verify: "verify that the import resolves",
    isOf: ({ record }) => /\b(?:ImportError|ModuleNotFoundError)\b/.test(record.resultSnippet),
  },
  {
    opening: "Syntax errors remain",
    verify: "verify that the file parses",
    isOf: ({ record }) => /\bSyntaxError\b/.test(record.resultSnippet),
  },
  {
    opening: "Test failures remain",
    verify: "verify that the same tests pass",
    // A runner that reports failed tests shows their tracebacks too.
    isOf: (call) => isTestCall(call) && call.record.reports.some(({ outcome }) => outcome === "red"),
  },
  {
    opening: "Python errors remain",
    verify: "verify that it runs without a traceback",
    isOf: ({ record }) => /\bTraceback \(most recent call last\)|^Traceback\b/m.test(record.resultSnippet),
  },
  {
    opening: "Test failures remain",
    verify: "verify that the same tests pass",
    isOf: isTestCall,
  },
];

function isTestCall({ commands }: TurnCall): boolean {
  return commands.some((command) => runOf(command)?.kind === "test");
}

const OTHER: FailureKind = {
  opening: "A command returned errors",
  verify: "verify that it now succeeds",
  isOf: () => true,
};

/**
 * Failures that nothing later in the turn resolved.
 *
 * Only a test run, build, migration or commit that stayed red is reported; if hygiene is a reason to block too,
 * every call that the agent itself recorded as failed is.
 */
export const failedCommand: Check = (input) => {
  const { turn, place, rules } = input;
  const calls = turn?.calls ?? [];
  const red = rules.hygieneBlocks ? new Set<TurnCall>() : stayedRed(input);
  const open = rules.hygieneBlocks ? openFailures(calls, place) : calls.filter((call) => red.has(call));
  const openings = [...new Set([...KINDS, OTHER].map(({ opening }) => opening))];
  return openings.flatMap((opening) => {
    const failures = open.filter((call) => kindOf(call).opening === opening);
    const last = failures.at(-1);
    if (last === undefined) return [];
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : "";
    return [
      {
        check: "failed-command",
        text: `${opening}: ${describe(last)}${more} failed; ${kindOf(last).verify}.`,
        isFailure: failures.some((call) => red.has(call) || !isProbe(call)),
        calls: failures.map(({ number }) => number),
      },
    ];
  });
};

/** More than a turn of a thousand commands needs, half of which failed. */
const MAX_COMPARISONS = 500_000;

/**
 * The failures that nothing later resolved. Each is compared with everything after it, from the last one back; if
 * that would take too long, the earlier ones are not reported.
 */
function openFailures(calls: readonly TurnCall[], place: ProjectPlace): readonly TurnCall[] {
  const open: TurnCall[] = [];
  let left = MAX_COMPARISONS;
  let laterWords = 0;
  for (const [index, call] of [...calls.entries()].toReversed()) {
    const words = call.commands.reduce((sum, { argv }) => sum + argv.length, 0);
    if (isFailure(call)) {
      left -= Math.max(1, call.commands.length) * laterWords;
      if (left < 0) break;
      if (!isResolved(call, calls.slice(index + 1), place)) open.push(call);
    }
    laterWords += words + 1;
  }
  return open.toReversed();
}

/** A refusal or an interrupt is the user's decision, and a search may find nothing: neither is a failure. */
function isFailure(call: TurnCall): boolean {
  const { kind, hadError, rejected } = call.record;
  if (hadError !== true || rejected || call.isUnread) return false;
  return kind === "shell" ? !isSearchWithoutMatch(call) : kind === "edit" || kind === "write";
}

function kindOf(call: TurnCall): FailureKind {
  return KINDS.find(({ isOf }) => isOf(call)) ?? OTHER;
}

function describe({ record }: TurnCall): string {
  if (record.kind === "shell") return inlineCode(commandShape(record.command ?? record.toolName), 80);
  return `the ${record.kind} of ${inlineCode(record.files[0] ?? "a file")}`;
}

const PROBES: ReadonlySet<string> = new Set([
  "ls",
  "cat",
  "head",
  "tail",
  "stat",
  "file",
  "find",
  "which",
  "type",
  "pgrep",
  "ps",
  "tree",
  "du",
  "wc",
  "readlink",
  "realpath",
]);

/** A read that found no file: reported, but not a reason to block by itself. */
function isProbe(call: TurnCall): boolean {
  const suspects = commandsThatMayHaveFailed(call);
  return suspects.length > 0 && suspects.every(({ argv }) => PROBES.has(argv[0] ?? ""));
}
