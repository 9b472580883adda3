import type { PromptEvent, StopEvent } from "@agent-checkpoint/gate";

/** An event of an agent, in our words. */
export type HookEvent = PromptEvent | StopEvent | { readonly type: "other"; readonly name: string };
