import { inlineCode, plainWords } from "@agent-checkpoint/heuristics";
import type { AgentName, PastTurn } from "@agent-checkpoint/transcript";
import type { Judgement } from "./judge-turn.ts";

/** The totals of some turns; small, whatever their number. */
export interface Summary {
  readonly sessions: number;
  readonly turns: number;
  /** Turns that ended with a stop of the agent. */
  readonly stops: number;
  readonly blocked: number;
  /** Blocked stops whose turn had committed its changes. */
  readonly blockedAfterCommit: number;
  /** The length of all messages together. */
  readonly messageCharacters: number;
  /** Turns without a stop, by reason. */
  readonly noStop: Counts;
  /** Stops that would have been blocked, and those that would not, by reason. */
  readonly blockedFor: Counts;
  readonly passedFor: Counts;
  /** By kind and id: an action may have the name of a check. */
  readonly rules: Readonly<Record<RuleKey, RuleSummary>>;
}

export type RuleKey = `${RuleSummary["kind"]}:${string}`;

export type Counts = Readonly<Record<string, number>>;

export interface RuleSummary {
  readonly kind: "action" | "check";
  /** How many stops it found something in. */
  readonly fired: number;
  /** How many of these messages would have been sent. */
  readonly sent: number;
  readonly examples: readonly Example[];
}

/** One time that a rule fired. */
export interface Example {
  readonly agent: AgentName;
  readonly session: string;
  readonly transcript: string;
  readonly project: string | null;
  readonly at: string | null;
  readonly isSent: boolean;
  readonly text: string;
}

/** Where a turn comes from. */
export type Origin = Pick<Example, "agent" | "session" | "transcript" | "project">;

export const EMPTY_SUMMARY: Summary = {
  sessions: 0,
  turns: 0,
  stops: 0,
  blocked: 0,
  blockedAfterCommit: 0,
  messageCharacters: 0,
  noStop: {},
  blockedFor: {},
  passedFor: {},
  rules: {},
};

export function summariseTurn(turn: PastTurn, judgement: Judgement, origin: Origin): Summary {
  const one = { ...EMPTY_SUMMARY, turns: 1 };
  if (judgement.kind === "no-stop") return { ...one, noStop: { [judgement.why]: 1 } };
  const stop = { ...one, stops: 1 };
  if (judgement.kind === "too-soon") return { ...stop, passedFor: { timer: 1 } };
  const rules = rulesOf(turn, judgement, origin);
  if (judgement.kind === "passed") return { ...stop, rules, passedFor: { [judgement.reason]: 1 } };
  return {
    ...stop,
    rules,
    blocked: 1,
    blockedAfterCommit: judgement.isCommitted ? 1 : 0,
    messageCharacters: judgement.message.length,
    blockedFor: { [judgement.reason]: 1 },
  };
}

/** Two summaries as one; it does not matter which comes first. */
export function mergeSummaries(one: Summary, other: Summary): Summary {
  return {
    sessions: one.sessions + other.sessions,
    turns: one.turns + other.turns,
    stops: one.stops + other.stops,
    blocked: one.blocked + other.blocked,
    blockedAfterCommit: one.blockedAfterCommit + other.blockedAfterCommit,
    messageCharacters: one.messageCharacters + other.messageCharacters,
    noStop: merge(one.noStop, other.noStop, add),
    blockedFor: merge(one.blockedFor, other.blockedFor, add),
    passedFor: merge(one.passedFor, other.passedFor, add),
    rules: merge(one.rules, other.rules, mergeRules),
  };
}

type Judged = Extract<Judgement, { readonly kind: "passed" | "blocked" }>;

function rulesOf(turn: PastTurn, { kind, result, changedFiles }: Judged, origin: Origin): Summary["rules"] {
  const isSent = kind === "blocked";
  const rule = (of: RuleSummary["kind"], text: string): RuleSummary => ({
    kind: of,
    fired: 1,
    sent: isSent ? 1 : 0,
    examples: [
      { ...origin, at: (turn.ending.at ?? turn.timeline.prompt?.timestamp)?.toISOString() ?? null, isSent, text },
    ],
  });
  // A check may have several findings in a turn: the first one stands for them.
  const checks = new Map(result.findings.toReversed().map(({ check, text }) => [check, text]));
  return Object.fromEntries([
    ...result.actions.map(
      ({ id, instruction }) => [`action:${id}`, rule("action", exampleText(instruction, changedFiles))] as const,
    ),
    ...[...checks].map(([id, text]) => [`check:${id}`, rule("check", text)] as const),
  ]);
}

const MAX_EXAMPLES = 3;

function mergeRules(one: RuleSummary, other: RuleSummary): RuleSummary {
  return {
    kind: one.kind,
    fired: one.fired + other.fired,
    sent: one.sent + other.sent,
    examples: bestOf([...one.examples, ...other.examples]),
  };
}

/** A session that was copied or forked repeats its examples. */
function bestOf(examples: readonly Example[]): readonly Example[] {
  const different = new Map(
    examples
      .toSorted(byWorth)
      .toReversed()
      .map((one) => [`${one.session} ${one.at} ${one.text}`, one]),
  );
  return [...different.values()].toSorted(byWorth).slice(0, MAX_EXAMPLES);
}

/** Examples that would have been sent come first, then the newest; the other fields break ties. */
function byWorth(one: Example, other: Example): number {
  const [first, second] = [one, other].map(({ isSent, at, transcript, text, session, agent, project }) =>
    JSON.stringify([isSent ? 1 : 0, at ?? "", transcript, text, session, agent, project ?? ""]),
  );
  return first === second ? 0 : (first ?? "") > (second ?? "") ? -1 : 1;
}

function add(one: number, other: number): number {
  return one + other;
}

function merge<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  join: (one: Value, other: Value) => Value,
): Readonly<Record<string, Value>> {
  const merged = new Map(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const known = merged.get(key);
    merged.set(key, known === undefined ? value : join(known, value));
  }
  return Object.fromEntries(merged);
}

const MAX_FILES = 3;

/** An action in one line: what it asks for, and the files it was asked for. */
function exampleText(instruction: string, changedFiles: readonly string[]): string {
  if (changedFiles.length === 0) return plainWords(instruction);
  const shown = changedFiles.slice(0, MAX_FILES).map((file) => inlineCode(file, 60));
  const more = changedFiles.length - shown.length;
  return `${plainWords(instruction)}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
