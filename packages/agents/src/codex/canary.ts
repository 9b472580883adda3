import { join } from "node:path";
import type { Canary, CanaryTurn } from "../agent.ts";

const CALL = "call_000000000000000000000001";

/** The formats of Codex since 0.148. */
export const canary: Canary = {
  shell: "sh",
  blocks: "block",
  environment: () => ({}),
  promptEvent: (turn) => ({ ...common(turn), hook_event_name: "UserPromptSubmit", prompt: turn.prompt }),
  stopEvent: (turn, isRepeated) => ({
    ...common(turn),
    hook_event_name: "Stop",
    stop_hook_active: isRepeated,
    last_assistant_message: turn.lastMessage,
  }),
  transcript: ({ sessionId, promptId, prompt, lastMessage, project, file, promptAt, stopAt }) => {
    const ids = { thread_id: sessionId, turn_id: promptId, root_turn_id: promptId };
    const event = (at: Date, payload: object) => ({ timestamp: at.toISOString(), type: "event_msg", payload });
    const item = (at: Date, completed: object) => event(at, { type: "item_completed", ...ids, item: completed });
    const meta = {
      session_id: sessionId,
      id: sessionId,
      cwd: project,
      originator: "codex-tui",
      source: "cli",
      thread_source: "user",
      history_mode: "paginated",
    };
    const lines = [
      { timestamp: promptAt.toISOString(), type: "session_meta", payload: meta },
      event(promptAt, { type: "task_started", ...ids }),
      item(promptAt, { type: "UserMessage", content: [{ type: "text", text: prompt, text_elements: [] }] }),
      item(stopAt, {
        type: "FileChange",
        id: CALL,
        changes: { [join(project, file)]: { type: "update" } },
        status: "completed",
      }),
      item(stopAt, { type: "AgentMessage", content: [{ type: "Text", text: lastMessage }] }),
    ];
    return lines.map((line, ordinal) => ({ ...line, ordinal }));
  },
};

function common({ sessionId, promptId, transcriptPath, project }: CanaryTurn): object {
  return {
    session_id: sessionId,
    turn_id: promptId,
    transcript_path: transcriptPath,
    cwd: project,
    model: "none",
    permission_mode: "default",
  };
}
