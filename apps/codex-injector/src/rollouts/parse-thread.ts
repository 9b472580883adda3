import type { RolloutEvent, ThreadKind } from "./rollout-event.ts";
import { dateAt, isObject, type JsonObject, objectAt, textAt } from "@agent-checkpoint/transcript/reading";

/** The thread that a line introduces, or null; the first such line of a file is the file's own. */
export const parseThread = (line: JsonObject): RolloutEvent | null => {
  const meta = line["type"] === "session_meta" ? objectAt(line, "payload") : "instructions" in line ? line : null;
  const id = meta === null ? null : textAt(meta, "id");
  if (meta === null || id === null) return null;
  return {
    type: "thread",
    thread: {
      id,
      cwd: textAt(meta, "cwd"),
      cliVersion: textAt(meta, "cli_version"),
      kind: kindOf(meta),
      startedAt: dateAt(meta, "timestamp") ?? dateAt(line, "timestamp"),
    },
  };
};

/** What the program at the terminal calls itself; the desktop app and editors share its `source`, not its name. */
const TERMINAL: ReadonlySet<unknown> = new Set(["codex-tui", "codex_cli_rs"]);

/** A session at the terminal that runs in the shared daemon says `vscode`; the oldest say nothing. */
const SHARED_SOURCES: ReadonlySet<unknown> = new Set(["vscode", undefined]);

const kindOf = ({ source, originator, thread_source, parent_thread_id }: JsonObject): ThreadKind => {
  if (isObject(source)) return "subagent" in source ? "sub-agent" : "other";
  if (thread_source === "subagent" || typeof parent_thread_id === "string") return "sub-agent";
  if (source === "exec" || originator === "codex_exec") return "exec";
  if (source === "cli") return "interactive";
  return SHARED_SOURCES.has(source) && TERMINAL.has(originator) ? "interactive" : "other";
};
