import { type Payload, type ToolTarget, callerOf, WIRES } from "./wires.ts";

/** A call of a tool while a skill of ours is in use, as a hook of the skill is told of it. */
export interface SkillCall {
  readonly target: ToolTarget | null;
  readonly cwd: string;
  /** The exit code; null if the tool has not run yet. */
  readonly exitCode: number | null;
}

/** The event of a skill's hook; null if it is unknown. Claude Code and Qwen Code have hooks in skills, with the same fields. */
export function parseSkillCall(payload: Payload, env: Parameters<typeof callerOf>[2]): SkillCall | null {
  const { hook_event_name: event, error } = payload;
  const agent = callerOf("claude", payload, env);
  if (agent === null || typeof event !== "string" || !EVENTS.has(event)) return null;
  // A finished call is described like one that is about to run.
  const parsed = WIRES[agent].parse({ ...payload, hook_event_name: "PreToolUse" }, env);
  if (!parsed.ok || parsed.event.type !== "tool") return null;
  const { target, cwd } = parsed.event;
  const exitCode = { PreToolUse: null, PostToolUse: 0 }[event];
  return { target, cwd, exitCode: exitCode === undefined ? exitCodeIn(error) : exitCode };
}

const EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** Of a command that failed, the first line of its error has the code. */
function exitCodeIn(error: unknown): number {
  const [, code = "1"] = /^Exit code (\d+)/.exec(typeof error === "string" ? error : "") ?? [];
  return Number(code);
}

/** What keeps a call from running, or asks the person first. */
export function answerSkillCall(permissionDecision: "deny" | "ask", reason: string): object {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: reason },
  };
}
