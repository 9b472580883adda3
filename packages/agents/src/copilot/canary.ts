import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Canary, CanaryTurn } from "../agent.ts";

const CALL = "call_000000000000000000000001";

/** The formats of Copilot CLI since 1.0.102. */
export const canary: Canary = {
  shell: "bash",
  blocks: "block",
  environment: ({ project }) => ({
    COPILOT_CLI: "1",
    COPILOT_PROJECT_DIR: project,
    CLAUDE_PROJECT_DIR: project,
  }),
  promptEvent: (turn) => ({ ...common(turn, turn.promptAt), hook_event_name: "UserPromptSubmit", prompt: turn.prompt }),
  stopEvent: (turn, isRepeated) => ({
    ...common(turn, turn.stopAt),
    hook_event_name: "Stop",
    transcript_path: turn.transcriptPath,
    stop_reason: "end_turn",
    stop_hook_active: isRepeated,
  }),
  transcript: ({ sessionId, promptId, prompt, lastMessage, project, file, promptAt, stopAt }) => {
    const event = (type: string, at: Date, data: object) => ({
      type,
      data,
      id: randomUUID(),
      timestamp: at.toISOString(),
    });
    const says = { messageId: randomUUID(), originatingMessageId: promptId };
    const path = join(project, file);
    return [
      event("session.start", promptAt, { sessionId, producer: "copilot-agent", context: { cwd: project } }),
      event("user.message", promptAt, { content: prompt, messageId: promptId, delivery: "idle" }),
      event("assistant.message", stopAt, { ...says, content: "", toolRequests: [{ toolCallId: CALL, name: "edit" }] }),
      event("tool.execution_start", stopAt, {
        toolCallId: CALL,
        toolName: "edit",
        arguments: { path, old_str: "before", new_str: "after" },
      }),
      event("tool.execution_complete", stopAt, {
        toolCallId: CALL,
        success: true,
        result: { content: `File ${path} updated with changes.` },
        fileEdits: [{ path, kind: "edit" }],
      }),
      event("assistant.message", stopAt, { ...says, content: lastMessage, toolRequests: [] }),
      event("hook.start", stopAt, { hookType: "agentStop", input: { sessionId, timestamp: stopAt.getTime() } }),
    ];
  },
};

function common({ sessionId, project }: CanaryTurn, at: Date): object {
  return { session_id: sessionId, timestamp: at.toISOString(), cwd: project };
}
