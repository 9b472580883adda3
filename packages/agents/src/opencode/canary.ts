import type { Canary, CanaryTurn } from "../agent.ts";

/** The messages of OpenCode 1.18 as our plugin writes them, and its payloads. */
export const canary: Canary = {
  shell: "sh",
  blocks: "block",
  environment: () => ({ OPENCODE: "1" }),
  promptEvent: (turn) => ({ hook_event_name: "UserPromptSubmit", ...common(turn), prompt: turn.prompt }),
  stopEvent: (turn, isRepeated) => ({
    hook_event_name: "Stop",
    ...common(turn),
    permission_mode: "build",
    stop_hook_active: isRepeated,
  }),
  transcript: (turn) => {
    const { sessionId, promptId, project, file, prompt, lastMessage } = turn;
    const message = (id: string, role: string, at: Date, parts: readonly object[], info: object = {}) => ({
      timestamp: at.toISOString(),
      info: { id, sessionID: sessionId, role, time: { created: at.getTime() }, ...info },
      parts,
    });
    const input = { filePath: file, oldString: "before", newString: "after" };
    const state = { status: "completed", input, output: "Edit applied successfully." };
    return [
      { type: "opencode-session", id: sessionId, parent: null, cwd: project },
      message(promptId, "user", turn.promptAt, [{ type: "text", text: prompt }]),
      message("msg_2", "assistant", turn.stopAt, [{ type: "tool", tool: "edit", callID: "call_1", state }], {
        finish: "tool-calls",
      }),
      message("msg_3", "assistant", turn.stopAt, [{ type: "text", text: lastMessage }], { finish: "stop" }),
    ];
  },
};

function common({ sessionId, transcriptPath, project, promptId }: CanaryTurn): object {
  return { session_id: sessionId, transcript_path: transcriptPath, cwd: project, prompt_id: promptId };
}
