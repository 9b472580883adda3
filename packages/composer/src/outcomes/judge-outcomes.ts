import { KINDS_THAT_COUNT, type RuleMode } from "@agent-checkpoint/categories";
import {
  type CheckpointResult,
  findEvidence,
  findRuns,
  type ProjectPlace,
  readTurn,
} from "@agent-checkpoint/heuristics";
import type { Outcome, StoredStop } from "@agent-checkpoint/store";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { assembleCheckpoint } from "../assemble-checkpoint.ts";
import type { LoadedRules } from "../rules/load-rules.ts";
import { withRepository } from "../get-checkpoint-content.ts";
import { MESSAGE_PREFIX } from "../message/texts.ts";

/** Why an outcome is not known. */
export type UnknownWhy =
  /** The record names no place in a transcript: there was none, or an older version wrote the record. */
  | "no-trail"
  | "transcript-gone"
  /** The turn was ended by the user or by an error. */
  | "cut-short"
  /** Today's rules would not have asked for it. */
  | "rules-changed"
  /** Git cannot say whether the files are still changed. */
  | "repository-gone"
  /** An earlier stop of the session found the same in silence. */
  | "repeated";

/** What a rule found at a stop. */
export interface Fired {
  readonly rule: string;
  readonly kind: Outcome["kind"];
  readonly mode: Exclude<RuleMode, "off">;
}

/** What became of it. */
export type Judgement = Fired & Pick<Outcome, "outcome" | "why" | "note">;

/** What the agent had done when it stopped, and by the end of that turn or a later one. */
export interface FollowUp {
  readonly before: readonly ToolCallRecord[];
  readonly whole: readonly ToolCallRecord[];
  /** What the person asked for, and what the agent said after the stop. */
  readonly said: readonly string[];
  /** Whether the turn was ended by the user or by an error. */
  readonly isCutShort: boolean;
}

/** The stop, and what its outcomes are judged by. */
export interface JudgedStop {
  readonly stop: StoredStop;
  /** The current rules of the repository. */
  readonly rules: LoadedRules;
  readonly place: ProjectPlace;
  readonly home: string | null;
}

/** The check whose findings ask for something; the others are remarks. */
const FAILURES = "failed-command";

/** Everything at a stop that has an outcome: the checklist and the failures of a block, and what rules found in silence. */
export function firedAt({ decision, actions, observations, quiet }: StoredStop): readonly Fired[] {
  const isBlock = decision === "block";
  const hasFailure = observations.some(({ check, isFailure }) => check === FAILURES && isFailure);
  return [
    ...(isBlock ? actions.map((rule) => ({ rule, kind: "action", mode: "require" }) as const) : []),
    ...(isBlock && hasFailure ? [{ rule: FAILURES, kind: "check", mode: "require" } as const] : []),
    ...Object.entries(quiet).map(([rule, mode]) => ({
      rule,
      kind: rule === FAILURES ? ("check" as const) : ("action" as const),
      // Advice that was not given was found in silence.
      mode: isBlock && mode === "advise" ? ("advise" as const) : ("shadow" as const),
    })),
  ];
}

/** Whether the agent was told of it. */
export function wasSaid({ mode }: Fired): boolean {
  return mode !== "shadow";
}

/** What became of what a block said: the whole turn is judged again, as the stop was. */
export async function judgeSaid(
  said: readonly Fired[],
  judged: JudgedStop,
  followUp: FollowUp,
): Promise<readonly Judgement[]> {
  const atEnd = await verdictOn(followUp.whole, judged);
  if (atEnd === null) return said.map((one) => unknown(one, "rules-changed"));
  // An action that is open at the end was open at the stop.
  const isAllOpen = said.every((one) => isOpen(one, atEnd));
  const atStop = isAllOpen ? atEnd : ((await verdictOn(followUp.before, judged)) ?? atEnd);
  return said.map((one) => {
    if (!isOpen(one, atEnd)) return isOpen(one, atStop) ? known(one, "done") : unknown(one, "rules-changed");
    const reason = waiverOf(one.rule, followUp.said);
    if (reason !== null) return { ...known(one, "waived"), note: reason };
    if (wasTried(one, { judged, followUp, atEnd })) return known(one, "partly");
    return followUp.isCutShort ? unknown(one, "cut-short") : known(one, "ignored");
  });
}

/** Whether a rule that found something in silence would still find it after these calls; null if it never would have. */
export async function isStillOpen(
  fired: Fired,
  judged: JudgedStop,
  { before, whole }: Pick<FollowUp, "before" | "whole">,
): Promise<boolean | null> {
  const atEnd = await verdictOn(whole, judged);
  if (atEnd === null) return null;
  if (isOpen(fired, atEnd)) return true;
  const atStop = await verdictOn(before, judged);
  return atStop !== null && isOpen(fired, atStop) ? false : null;
}

export function known(fired: Fired, outcome: Outcome["outcome"]): Judgement {
  return { ...fired, outcome, why: null, note: null };
}

export function unknown(fired: Fired, why: UnknownWhy): Judgement {
  return { ...fired, outcome: "unknown", why, note: null };
}

/** The verdict on calls by today's rules, each of which speaks; null without usable rules. */
async function verdictOn(
  toolCalls: readonly ToolCallRecord[],
  { stop, place, rules, home }: JudgedStop,
): Promise<CheckpointResult | null> {
  if (!rules.ok) return null;
  // What the agent changed after the stop asks for tests of its own.
  const later = readTurn({ toolCalls }, place).changes.map(({ file }) => file);
  const facts = {
    rules: { ...rules, rules: { ...rules.rules, modes: {} } },
    changed: { ok: true as const, files: [...new Set([...(stop.trail?.changedFiles ?? []), ...later])] },
    timeline: { hasData: true as const, toolCalls, prompt: { timestamp: null }, isWhole: true },
    place,
    workingSlug: null,
    plan: null,
    promptAt: stop.trail?.promptAt ?? null,
    now: stop.at,
  };
  return assembleCheckpoint(await withRepository(facts, home)).result;
}

function isOpen({ rule, kind }: Fired, { actions, findings }: CheckpointResult): boolean {
  return kind === "action" ? actions.some(({ id }) => id === rule) : findings.some(({ check }) => check === rule);
}

/** An open rule was tried if one of its commands ran after the stop, or if something failed again. */
function wasTried(
  { rule, kind }: Fired,
  {
    judged,
    followUp,
    atEnd,
  }: { readonly judged: JudgedStop; readonly followUp: FollowUp; readonly atEnd: CheckpointResult },
): boolean {
  const earlier = new Set(followUp.before.map(({ id }) => id));
  const isLater = (call: ToolCallRecord | undefined) => call !== undefined && !earlier.has(call.id);
  if (kind === "check") {
    const failures = atEnd.findings.filter(({ check }) => check === rule).flatMap(({ calls }) => calls);
    return failures.some((number) => isLater(followUp.whole[number - 1]));
  }
  const later = readTurn({ toolCalls: followUp.whole.filter(isLater) }, judged.place);
  const actions = judged.rules.ok ? judged.rules.rules.actions : [];
  const steps = actions.find(({ id }) => id === rule)?.steps ?? [];
  const kinds: readonly string[] = KINDS_THAT_COUNT.get(rule) ?? [];
  return steps.some(({ evidence }) =>
    evidence.length === 0
      ? findRuns(later, null).some((run) => kinds.includes(run.kind))
      : findEvidence(later, evidence, 0).status !== "absent",
  );
}

const MAX_REASON = 300;

/** The reason not to do an action, from the documented sentence; null if nobody gave one. */
export function waiverOf(rule: string, said: readonly string[]): string | null {
  const sentence = new RegExp(`${MESSAGE_PREFIX}cannot verify \`?${rule}\`? because (.+)`, "iu");
  for (const text of said) {
    const reason = sentence.exec(text)?.[1]?.trim();
    if (reason) return reason.slice(0, MAX_REASON);
  }
  return null;
}
