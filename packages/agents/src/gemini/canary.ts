import { randomUUID } from "node:crypto";
import type { Canary, CanaryTurn } from "../agent.ts";

const CALL = "replace-1-0";

/** The formats of Gemini CLI since 0.44. */
export const canary: Canary = {
  shell: "bash",
  blocks: "deny",
  environment: ({ project, sessionId }) => ({
    GEMINI_SESSION_ID: sessionId,
    GEMINI_PROJECT_DIR: project,
    GEMINI_CWD: project,
    CLAUDE_PROJECT_DIR: project,
  }),
  promptEvent: (turn) => ({
    ...common(turn, turn.promptAt),
    hook_event_name: "BeforeAgent",
    prompt: turn.prompt,
  }),
  stopEvent: (turn, isRepeated) => ({
    ...common(turn, turn.stopAt),
    hook_event_name: "AfterAgent",
    prompt: turn.prompt,
    prompt_response: turn.lastMessage,
    stop_hook_active: isRepeated,
  }),
  transcript: ({ sessionId, prompt, lastMessage, file, promptAt, stopAt }) => {
    const message = (type: string, at: Date, rest: object) => ({
      id: randomUUID(),
      timestamp: at.toISOString(),
      type,
      ...rest,
    });
    const response = { output: `Successfully modified file: ${file} (1 replacements).` };
    const call = {
      id: CALL,
      name: "replace",
      args: { file_path: file, old_string: "before", new_string: "after", instruction: "Change it" },
      result: [{ functionResponse: { id: CALL, name: "replace", response } }],
      status: "success",
      timestamp: stopAt.toISOString(),
    };
    const began = promptAt.toISOString();
    return [
      { sessionId, projectHash: "", startTime: began, lastUpdated: began, kind: "main" },
      message("user", promptAt, { content: [{ text: prompt }] }),
      message("gemini", stopAt, { content: "", toolCalls: [call] }),
      message("user", stopAt, { content: call.result }),
      message("gemini", stopAt, { content: lastMessage }),
    ];
  },
};

function common({ sessionId, transcriptPath, project }: CanaryTurn, at: Date): object {
  return { session_id: sessionId, transcript_path: transcriptPath, cwd: project, timestamp: at.toISOString() };
}
