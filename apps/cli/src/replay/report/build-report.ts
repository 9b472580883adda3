import type { AgentName } from "@agent-checkpoint/transcript";
import type { FailedFile } from "../files/find-transcripts.ts";
import {
  type Counts,
  EMPTY_SUMMARY,
  type Example,
  mergeSummaries,
  type RuleSummary,
  type Summary,
} from "../judge/summary.ts";
import type { FileCounts, ReplayOutcome } from "../run/run-replay.ts";

/** What `checkpoint replay --json` prints. */
export interface ReplayReport {
  readonly version: string;
  readonly generatedAt: string;
  /** The config file that all sessions were judged by; null if each project's own rules were used. */
  readonly config: string | null;
  /** Turns that were opened before it were left out. */
  readonly since: string | null;
  readonly files: FileCounts & { readonly failed: readonly FailedFile[] };
  readonly totals: Totals;
  /** Turns without a stop, by reason: interrupted, failed, unfinished. */
  readonly noStop: Counts;
  /** Stops that would have been blocked, by reason. */
  readonly blockedFor: Counts;
  /** Stops that would have passed, by reason. */
  readonly passedFor: Counts;
  /** A rule is noise if its share of the stops exceeds this, in percent. */
  readonly noisePercent: number;
  readonly rules: readonly RuleReport[];
  readonly agents: readonly (Totals & { readonly agent: AgentName })[];
  readonly projects: readonly (Totals & { readonly project: string | null })[];
}

export interface Totals {
  readonly sessions: number;
  readonly turns: number;
  readonly stops: number;
  readonly blocked: number;
  /** Share of the stops, in percent. */
  readonly blockedPercent: number;
  readonly blockedAfterCommit: number;
  readonly messageCharacters: number;
  /** An estimate: four characters a token. */
  readonly estimatedTokens: number;
}

export interface RuleReport {
  readonly rule: string;
  readonly kind: RuleSummary["kind"];
  readonly fired: number;
  readonly sent: number;
  /** Share of all stops whose message would have carried it, in percent. */
  readonly sentPercent: number;
  readonly isNoise: boolean;
  readonly examples: readonly Example[];
}

/** What a report needs besides the results of the files. */
export interface ReportContext extends Pick<ReplayReport, "version" | "config" | "noisePercent"> {
  readonly now: Date;
  readonly since: number | null;
}

/** Builds the report of a replay. */
export function buildReport(outcome: ReplayOutcome, { now, since, ...context }: ReportContext): ReplayReport {
  const whole = [...outcome.agents.values()].reduce(mergeSummaries, EMPTY_SUMMARY);
  return {
    version: context.version,
    generatedAt: now.toISOString(),
    config: context.config,
    since: since === null ? null : new Date(since).toISOString(),
    files: { ...outcome.files, failed: outcome.failed },
    totals: totalsOf(whole),
    noStop: whole.noStop,
    blockedFor: whole.blockedFor,
    passedFor: whole.passedFor,
    noisePercent: context.noisePercent,
    rules: rulesOf(whole, context.noisePercent),
    agents: [...outcome.agents]
      .map(([agent, summary]) => ({ agent, ...totalsOf(summary) }))
      .toSorted(byBlocked("agent")),
    projects: [...outcome.projects]
      .map(([project, summary]) => ({ project, ...totalsOf(summary) }))
      .toSorted(byBlocked("project")),
  };
}

/** The usual ratio for English and code, accurate enough to compare rules. */
const CHARACTERS_PER_TOKEN = 4;

function totalsOf(summary: Summary): Totals {
  const { sessions, turns, stops, blocked, blockedAfterCommit, messageCharacters } = summary;
  return {
    sessions,
    turns,
    stops,
    blocked,
    blockedPercent: percent(blocked, stops),
    blockedAfterCommit,
    messageCharacters,
    estimatedTokens: Math.round(messageCharacters / CHARACTERS_PER_TOKEN),
  };
}

function rulesOf({ rules, stops }: Summary, noisePercent: number): readonly RuleReport[] {
  return Object.entries(rules)
    .map(([key, { kind, fired, sent, examples }]) => {
      const sentPercent = percent(sent, stops);
      const rule = key.slice(key.indexOf(":") + 1);
      return { rule, kind, fired, sent, sentPercent, isNoise: sentPercent > noisePercent, examples };
    })
    .toSorted((one, other) => other.sent - one.sent || other.fired - one.fired || (one.rule < other.rule ? -1 : 1));
}

function byBlocked<Name extends string>(name: Name) {
  return (one: Totals & Record<Name, string | null>, other: Totals & Record<Name, string | null>): number =>
    other.blocked - one.blocked || other.stops - one.stops || ((one[name] ?? "") < (other[name] ?? "") ? -1 : 1);
}

/** In percent, to a tenth. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}
