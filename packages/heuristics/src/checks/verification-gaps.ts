import { type Action, TESTS_ACTION } from "@agent-checkpoint/categories";
import { type ActionTrace, filesAskingFor, traceAction, type TraceInput } from "../evidence/trace-action.ts";
import { languagesOfFile } from "@agent-checkpoint/reports";
import { agree } from "../evidence/find-runs.ts";
import { inlineCode } from "../inline-code.ts";
import type { Observation, RequiredAction } from "../types.ts";
import { gapSentence } from "./gap-sentence.ts";

/** What is known when actions are checked. */
export interface GapInput extends TraceInput {
  /** Whether the turn was read from its beginning; else the absence of a command proves nothing. */
  readonly isWhole: boolean;
  /** The time since the prompt, such as `2m`. */
  readonly window: string;
}

/** What the actions that are asked for came to. */
export interface Gaps {
  /** Every action that is asked for, done or not, in the order of the checklist. */
  readonly traces: readonly ActionTrace[];
  /** Those that are still to be done. */
  readonly actions: readonly RequiredAction[];
  /** Why each of them is. */
  readonly observations: readonly Observation[];
}

/** The actions that are still to be done, in the order of the checklist, with why each is asked for. */
export function verificationGaps(input: GapInput): Gaps {
  const traces = input.rules.actions
    .filter((action) => isAsked(action, input))
    .map((action) => traceAction(action, input));
  const open = traces.filter(({ isOpen }) => isOpen);
  return {
    traces,
    actions: open.map((trace) => ({ id: trace.action.id, instruction: instructionOf(trace, input) })),
    observations: open.flatMap((trace) => observe(trace, input)),
  };
}

function isAsked(action: Action, input: GapInput): boolean {
  return input.rules.baseline.includes(action.id) || filesAskingFor(action, input).length > 0;
}

/** The whole action, or what is left of it after the steps that were seen. */
function instructionOf(trace: ActionTrace, input: GapInput): string {
  const { action, steps } = trace;
  const { files, window } = input;
  if (steps.length > 1) {
    const left = action.steps.slice(steps.length - 1).map(({ run }) => `\`${run}\``);
    return `Run ${left.join(" then ")}`;
  }
  const alone =
    action.id === TESTS_ACTION && files.isTestsOnly ? files.matches.find(({ category }) => category.alone) : undefined;
  const asked = (alone?.category.alone?.instruction ?? action.instruction).replaceAll("{window}", window);
  const command = action.id === TESTS_ACTION ? commandToRun(trace, input) : null;
  return command === null ? asked : `${asked}: ${inlineCode(command, 120)}`;
}

/** The command to name for open tests: the one that was green before the change, else the one that the repository declares. */
function commandToRun({ steps, lastChange }: ActionTrace, { facts }: GapInput): string | null {
  const [traced] = steps;
  if (traced === undefined || traced.step.evidence.length > 0) return null;
  const { evidence } = traced;
  if (evidence.status === "stale") return evidence.sighting.command.argv.join(" ");
  const file = lastChange?.file ?? "";
  const languages = languagesOfFile(file);
  const own = (facts?.commands ?? []).filter(
    ({ kind, folder, languages: of }) =>
      kind === "test" && agree(of, languages) && (folder === "" || file.startsWith(`${folder}/`)),
  );
  const [best] = own.toSorted((one, other) => other.folder.length - one.folder.length);
  if (best === undefined) return null;
  return best.folder === "" ? best.command : `cd ${best.folder} && ${best.command}`;
}

function observe(trace: ActionTrace, input: GapInput): readonly Observation[] {
  const missing = trace.steps.at(-1);
  if (missing === undefined || !input.rules.checks["verification-gap"]) return [];
  const { evidence } = missing;
  if (evidence.status === "absent" && !input.isWhole) return [];
  const calls = evidence.status === "absent" ? [] : [evidence.sighting.call.number];
  return [{ check: "verification-gap", text: gapSentence(trace, missing, input), isFailure: false, calls }];
}
