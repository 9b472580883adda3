import type { Payload } from "./wire.ts";

/** Whether an event was sent by `checkpoint doctor` to see that the hook answers; no agent sends this field. */
export function isCanary(payload: Payload): boolean {
  return payload["agent_checkpoint_canary"] === true;
}
