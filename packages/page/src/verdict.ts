import { counted } from "./numbers.ts";
import { percent } from "./parts.ts";

/** Fewer known answers prove nothing. */
const MIN_KNOWN = 8;

/** The figures of a period. */
export interface Verdict {
  readonly word: string;
  readonly look: "good" | "bad" | "plain";
  readonly text: string;
}

/** Stops, and the outcomes of what was asked at them. */
export interface Period {
  readonly stops: number;
  readonly blocked: number;
  readonly known: number;
  readonly outcomes: { readonly done: number; readonly ignored: number; readonly waived: number };
}

/** One sentence about a period, chosen by its shares; it says so if there is too little data. */
export function weighPeriod({ stops, blocked, known, outcomes }: Period, nothing: string): Verdict {
  if (stops === 0) return { word: "Nothing yet", look: "plain", text: nothing };
  const share = `${percent(blocked, stops)} of ${counted(stops, "stop")} ${stops === 1 ? "was" : "were"} blocked`;
  if (known < MIN_KNOWN)
    return {
      word: "Too early to tell",
      look: "plain",
      text: `${share}, and it is known what became of ${counted(known, "thing")} that ${known === 1 ? "was" : "were"} asked for.`,
    };
  const left = outcomes.ignored + outcomes.waived;
  const text = `${share}; ${percent(outcomes.done, known)} of what was asked was then done, ${percent(left, known)} ignored or waived.`;
  if (left > known / 2) return { word: "Mostly noise", look: "bad", text };
  if (outcomes.done >= known / 2) return { word: "It helps", look: "good", text };
  return { word: "It is heard half the time", look: "plain", text };
}
