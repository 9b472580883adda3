import type { Command } from "./measuring/command.ts";

/** What a candidate is to the comparison. */
export type Kind = "floor" | "git" | "hook" | "alternative";

/** What a candidate has to print for its time to count: nothing, a block, or something with these words in it. */
export type Answer = "nothing" | "block" | { readonly holding: string };

/** One call of a candidate. */
export interface Call {
  /** Run one after the other before, unmeasured. */
  readonly before?: readonly Command[];
  /** Run after these, unmeasured as well: each is to be blocked. */
  readonly blocked?: readonly Command[];
  /** Started at the same moment; the time is that of the last to end. */
  readonly measured: readonly Command[];
}

/** Something whose time is taken in every round. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
  readonly kind: Kind;
  readonly answer: Answer;
  /** The next call, each with a session of its own. */
  readonly next: () => Call;
}
