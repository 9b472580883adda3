/** Whom a thread answers: a human at the terminal, a script, another agent, or someone we do not know. */
export type ThreadKind = "interactive" | "exec" | "sub-agent" | "other";

/** The thread that a rollout is the record of. */
export interface Thread {
  readonly id: string;
  readonly cwd: string | null;
  readonly cliVersion: string | null;
  readonly kind: ThreadKind;
  readonly startedAt: Date | null;
}

/** What a line of a rollout tells us; `turnId` is null where the line does not name its turn. */
export type RolloutEvent =
  | { readonly type: "thread"; readonly thread: Thread }
  | {
      readonly type: "turn-started";
      readonly turnId: string | null;
      readonly at: Date | null;
      /** Where the turn's first message came from; null where Codex does not say, as for `/compact`. */
      readonly startedBy: "user" | "queue" | "exec" | null;
    }
  | {
      readonly type: "user-message" | "hook-prompt";
      readonly turnId: string | null;
      readonly at: Date | null;
      readonly text: string;
    }
  | {
      readonly type: "turn-finished";
      readonly turnId: string | null;
      readonly at: Date | null;
      readonly lastMessage: string | null;
      readonly hasError: boolean;
    }
  | { readonly type: "turn-aborted"; readonly turnId: string | null; readonly at: Date | null };

/** An event of a turn, which is any but the thread's own. */
export type TurnEvent = Exclude<RolloutEvent, { readonly type: "thread" }>;
