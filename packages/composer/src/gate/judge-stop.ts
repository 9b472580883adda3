import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { Checkpoint } from "../assemble-checkpoint.ts";
import { listFiles } from "../find-project.ts";
import type { GatheredFacts } from "../get-checkpoint-content.ts";
import { type PassReason, reasonByClock, reasonToPass } from "./reason-to-pass.ts";
import type { StopFacts } from "./stop-facts.ts";

/** A stop that is judged, and not yet recorded. */
export type JudgedStop = PassedStop | WeighedStop;

/** A stop that passes before its turn is read. */
export interface PassedStop {
  readonly facts: StopFacts;
  readonly pass: PassReason;
  readonly promptAt: Date | null;
  readonly content: null;
}

/** A stop whose content is judged. */
export interface WeighedStop {
  readonly facts: StopFacts;
  /** Why the stop passes whatever its content; null if the content decides. */
  readonly pass: PassReason | null;
  /** When the human spoke; null if neither store nor transcript knows. */
  readonly promptAt: Date | null;
  readonly content: GatheredFacts & { readonly timeline: TurnTimeline; readonly checkpoint: Checkpoint };
}

/** How a stop is judged. */
export interface JudgeOptions {
  /** Whether the process is there for this stop alone, so that it may wait for git; false by default. */
  readonly isAlone?: boolean | undefined;
}

/** Judges a stop by the record, the clock and the content, in that order; the turn is read only if the first two leave it open. */
export async function judgeStop(facts: StopFacts, options: JudgeOptions = {}): Promise<JudgedStop> {
  const pass = reasonBeforeReading(facts);
  return pass === null ? weigh(facts, pass, options) : { facts, pass, promptAt: facts.promptAt, content: null };
}

/** Judges a stop with its content, also if record or clock let it pass. */
export function weighStop(facts: StopFacts, options: JudgeOptions = {}): Promise<WeighedStop> {
  return weigh(facts, reasonBeforeReading(facts), options);
}

function reasonBeforeReading(facts: StopFacts): PassReason | null {
  return reasonToPass(facts) ?? (facts.promptAt === null ? null : reasonByClock(facts));
}

/** Git runs while the code that judges the content is loaded. */
async function weigh(facts: StopFacts, pass: PassReason | null, { isAlone }: JudgeOptions): Promise<WeighedStop> {
  const listing = listFiles(facts.project, { mayWait: isAlone, since: facts.session?.head });
  const { weighContent } = await import("./weigh-content.ts");
  return weighContent(facts, pass, listing);
}
