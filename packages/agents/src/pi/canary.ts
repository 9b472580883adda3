import type { Canary, CanaryTurn } from "../agent.ts";

/** The session file of pi 0.87, and the payloads of our own extension. */
export const canary: Canary = {
  shell: "sh",
  blocks: "block",
  environment: () => ({ AI_AGENT: "pi", PI_CODING_AGENT: "true" }),
  promptEvent: (turn) => ({ hook_event_name: "UserPromptSubmit", ...common(turn), prompt: turn.prompt }),
  stopEvent: (turn, isRepeated) => ({ hook_event_name: "Stop", ...common(turn), stop_hook_active: isRepeated }),
  transcript: ({ sessionId, project, file, prompt, lastMessage, promptAt, stopAt }) => {
    const at = stopAt.toISOString();
    const message = (id: string, parentId: string | null, timestamp: string, message: object) => ({
      type: "message",
      id,
      parentId,
      timestamp,
      message,
    });
    const says = (stopReason: string, block: object) => ({ role: "assistant", content: [block], stopReason });
    const edit = { path: file, edits: [{ oldText: "before", newText: "after" }] };
    return [
      { type: "session", version: 3, id: sessionId, timestamp: promptAt.toISOString(), cwd: project },
      message("1", null, promptAt.toISOString(), { role: "user", content: [{ type: "text", text: prompt }] }),
      message("2", "1", at, says("toolUse", { type: "toolCall", id: "call_1", name: "edit", arguments: edit })),
      message("3", "2", at, {
        role: "toolResult",
        toolCallId: "call_1",
        toolName: "edit",
        content: [{ type: "text", text: `Successfully replaced 1 block(s) in ${file}.` }],
        isError: false,
      }),
      message("4", "3", at, says("stop", { type: "text", text: lastMessage })),
    ];
  },
};

function common({ sessionId, transcriptPath, project }: CanaryTurn): object {
  return { session_id: sessionId, transcript_path: transcriptPath, cwd: project };
}
