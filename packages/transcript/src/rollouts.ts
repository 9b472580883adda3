// For a program that follows Codex rollouts while they grow, instead of reading a turn at its end.
export { followRollout, type RolloutPosition, type RolloutReading } from "./formats/codex/follow-rollout.ts";
export type { RolloutEvent, Thread, ThreadKind, TurnEvent } from "./formats/codex/rollout-events.ts";
export {
  advanceRollout,
  type RolloutState,
  type Turn,
  type TurnMessage,
  UNREAD,
} from "./formats/codex/rollout-state.ts";
