import type { RolloutEvent } from "../rollout-events.ts";

/** An event in a few words. */
export const summarise = (event: RolloutEvent): string => {
  if (event.type === "thread") return `thread ${event.thread.kind}`;
  if (event.type === "turn-started") return `started by ${event.startedBy ?? "nobody"}`;
  if (event.type === "turn-finished")
    return `finished${event.hasError ? " with an error" : ""}: ${event.lastMessage ?? "nothing"}`;
  if (event.type === "turn-aborted") return "aborted";
  return `${event.type === "hook-prompt" ? "hook" : "user"}: ${event.text}`;
};
