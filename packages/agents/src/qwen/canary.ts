import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Canary, CanaryTurn } from "../agent.ts";

const CALL = "call_000000000000000000000001";

/** The formats of Qwen Code since 0.23.4. */
export const canary: Canary = {
  shell: "bash",
  blocks: "block",
  environment: ({ project, sessionId, promptId }) => ({
    QWEN_PROJECT_DIR: project,
    GEMINI_PROJECT_DIR: project,
    CLAUDE_PROJECT_DIR: project,
    QWEN_CODE_SESSION_ID: sessionId,
    QWEN_CODE_PROMPT_ID: promptId,
  }),
  promptEvent: (turn) => ({
    ...common(turn, turn.promptAt),
    hook_event_name: "UserPromptSubmit",
    prompt: turn.prompt,
    submitted_prompt: turn.prompt,
  }),
  stopEvent: (turn, isRepeated) => ({
    ...common(turn, turn.stopAt),
    hook_event_name: "Stop",
    stop_hook_active: isRepeated,
    last_assistant_message: turn.lastMessage,
    background_tasks: [],
    crons: [],
  }),
  transcript: ({ sessionId, prompt, lastMessage, project, file, promptAt, stopAt }) => {
    const line = (type: string, at: Date, role: string, part: object) => ({
      uuid: randomUUID(),
      sessionId,
      timestamp: at.toISOString(),
      type,
      provenance: PROVENANCE[type],
      cwd: project,
      message: { role, parts: [part] },
    });
    const args = { file_path: join(project, file), old_string: "before", new_string: "after" };
    const response = { output: `The file: ${args.file_path} has been updated.` };
    return [
      line("user", promptAt, "user", { text: prompt }),
      line("assistant", stopAt, "model", { functionCall: { id: CALL, name: "edit", args } }),
      {
        ...line("tool_result", stopAt, "user", { functionResponse: { id: CALL, name: "edit", response } }),
        toolCallResult: { callId: CALL, status: "success", executionStatus: "success" },
      },
      line("assistant", stopAt, "model", { text: lastMessage }),
    ];
  },
};

const PROVENANCE: Readonly<Record<string, string>> = {
  user: "real_user",
  assistant: "assistant_output",
  tool_result: "tool_result",
};

function common({ sessionId, transcriptPath, project, promptId }: CanaryTurn, at: Date): object {
  return {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd: project,
    timestamp: at.toISOString(),
    permission_mode: "default",
    prompt_id: promptId,
  };
}
