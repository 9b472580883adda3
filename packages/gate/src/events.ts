export type { PromptEvent, StopEvent } from "@agent-checkpoint/agents/wire";
