import { cutLongStrings } from "./cut.ts";

/** Removes what Codex tells the model about itself. */
export function cutCodexLines(lines: readonly CodexLine[]): readonly unknown[] {
  return lines.map(cutLine);
}

/** A line of Codex's rollout, as far as it is checked here. */
export interface CodexLine {
  readonly type?: string;
  readonly payload?: { readonly type?: string; readonly role?: string };
}

/** Types of lines and events in which Codex keeps what it tells the model about itself. */
const CONTEXT: ReadonlySet<string> = new Set(["session_meta", "turn_context", "compacted", "thread_settings_applied"]);

function cutLine(line: CodexLine): unknown {
  const { type, payload } = line;
  if (payload?.type === "additional_tools") return { ...line, payload: { ...payload, tools: [] } };
  if (type === "world_state") return { ...line, payload: { ...payload, state: {} } };
  const isContext = CONTEXT.has(type ?? "") || CONTEXT.has(payload?.type ?? "") || payload?.role === "developer";
  return isContext ? cutLongStrings(line) : line;
}
