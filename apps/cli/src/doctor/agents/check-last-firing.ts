import { type Finding, ok, warn } from "../finding.ts";
import { sayAgo } from "../say-ago.ts";
import type { AgentCase } from "./agent-case.ts";

/** When the agent last called the hook by itself. */
export function checkLastFiring({ machine, settings, hooks }: AgentCase): readonly Finding[] {
  const { contents } = machine.store;
  const last = contents === null || "fault" in contents ? null : contents.lastStops[settings.agent];
  if (last !== null) {
    const what = `${last.decision === "block" ? "blocked" : "passed"}, ${last.reason}`;
    return [ok(`${sayAgo(last.at, machine.now())} (${what})`)];
  }
  if (hooks.length === 0) return [];
  return [
    warn(
      `${settings.title} has not called the hook yet`,
      `Start a new session of ${settings.title}, give it something to do, and run the doctor again.`,
    ),
  ];
}
