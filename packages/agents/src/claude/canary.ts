import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Canary, CanaryTurn } from "../agent.ts";

const CALL = "toolu_000000000000000000000001";

/** The formats of Claude Code since 2.1.220. */
export const canary: Canary = {
  shell: "sh",
  blocks: "block",
  environment: ({ project, sessionId }) => ({
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: sessionId,
    CLAUDECODE: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
  }),
  promptEvent: (turn) => ({
    ...common(turn),
    permission_mode: "default",
    hook_event_name: "UserPromptSubmit",
    prompt: turn.prompt,
  }),
  stopEvent: (turn, isRepeated) => ({
    ...common(turn),
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: isRepeated,
    last_assistant_message: turn.lastMessage,
    background_tasks: [],
    session_crons: [],
  }),
  transcript: (turn) => {
    const { promptId, prompt, lastMessage, project, file, sessionId } = turn;
    const line = (type: string, at: Date, rest: object) => ({
      isSidechain: false,
      type,
      uuid: randomUUID(),
      timestamp: at.toISOString(),
      userType: "external",
      cwd: project,
      sessionId,
      ...rest,
    });
    const says = (content: readonly object[]) => ({
      message: { id: `msg_${randomUUID()}`, type: "message", role: "assistant", content },
    });
    const path = join(project, file);
    const input = { replace_all: false, file_path: path, old_string: "before", new_string: "after" };
    const result = {
      tool_use_id: CALL,
      type: "tool_result",
      content: `The file ${path} has been updated successfully.`,
    };
    return [
      line("user", turn.promptAt, { promptId, message: { role: "user", content: prompt } }),
      line("assistant", turn.stopAt, says([{ type: "tool_use", id: CALL, name: "Edit", input }])),
      line("user", turn.stopAt, { promptId, message: { role: "user", content: [result] }, toolUseResult: input }),
      line("assistant", turn.stopAt, says([{ type: "text", text: lastMessage }])),
    ];
  },
};

function common({ sessionId, transcriptPath, project, promptId }: CanaryTurn): object {
  return { session_id: sessionId, transcript_path: transcriptPath, cwd: project, prompt_id: promptId };
}
