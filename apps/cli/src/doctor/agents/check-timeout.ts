import type { AgentSettings } from "@agent-checkpoint/agents";
import { fail, type Finding, warn } from "../finding.ts";
import { type AgentCase, type OwnHook, placeOf } from "./agent-case.ts";

const LEAST_MS = 5000;

/** Whether the agent waits long enough for the answer. */
export function checkTimeout({ hooks, settings }: AgentCase): readonly Finding[] {
  const timeouts = [...new Set(hooks.map(({ timeout }) => timeout))];
  return timeouts.flatMap((timeout) => {
    const where = hooks.filter((hook) => hook.timeout === timeout).map(placeOf);
    const judged = judgeTimeout(timeout, settings);
    return judged === null ? [] : [{ ...judged, what: `${judged.what} (${where.join(", ")})` }];
  });
}

function judgeTimeout(timeout: OwnHook["timeout"], { agent, timeout: ours, title }: AgentSettings): Finding | null {
  const fix = `Set it to ${ours.value}, or: checkpoint init --agent ${agent}`;
  if (timeout === null) return null;
  if (typeof timeout === "string") return fail(`"${timeout}" is a string: ${title} ignores the hook`, fix);
  if (ours.unit === "milliseconds" && timeout < 1000) return fail(`${timeout} milliseconds: were seconds meant?`, fix);
  if (ours.unit === "seconds" && timeout >= 1000) return warn(`${timeout} seconds: were milliseconds meant?`, fix);
  const milliseconds = ours.unit === "seconds" ? timeout * 1000 : timeout;
  if (milliseconds < LEAST_MS) return warn(`${milliseconds / 1000} seconds, which a busy machine may not keep`, fix);
  return null;
}
