import { anything, flag, name, parsePayload, text } from "../wire/payload.ts";
import { type ChangingTools, changesFile, runsCommand, toolEvent } from "../wire/tools.ts";
import type { Wire } from "../wire/wire.ts";

const FIELDS = {
  hook_event_name: name,
  session_id: text,
  transcript_path: text,
  cwd: text,
  prompt: text,
  tool_name: text,
  tool_input: anything,
  prompt_response: text,
  stop_hook_active: flag,
};

/** What Gemini CLI reports as the reply of a turn that was cancelled while it streamed. */
const CANCELLED = "[no response text]";

/** What the human sees instead of the checklist. */
const FOR_THE_HUMAN = "agent-checkpoint: asked the agent to finish the open steps before it stops (once per turn).";

/** Tools that change something; those of servers that a person has added are not known. */
const CHANGING_TOOLS: ChangingTools = {
  replace: changesFile("file_path"),
  write_file: changesFile("file_path"),
  run_shell_command: runsCommand("command"),
};

/** Gemini CLI's `AfterAgent`, `BeforeAgent` and `BeforeTool`. */
export const gemini: Wire = {
  parse: (payload, env) =>
    parsePayload(FIELDS, payload, (fields) => {
      const inSession = {
        sessionId: fields.session_id,
        projectPath: env["GEMINI_PROJECT_DIR"] || fields.cwd || process.cwd(),
        transcriptPath: fields.transcript_path,
        promptId: null,
      };
      const prompt = withoutHookContext(fields.prompt ?? "");
      switch (fields.hook_event_name) {
        case "AfterAgent":
          return {
            ok: true,
            event: {
              ...inSession,
              type: "stop",
              isRepeated: fields.stop_hook_active,
              exemption: fields.prompt_response?.trim() === CANCELLED ? "no-response-text" : null,
              promptText: prompt,
              // Its transcript is written before its hooks run.
              lastMessage: null,
            },
          };
        case "BeforeAgent":
          return { ok: true, event: { ...inSession, type: "prompt", text: prompt, isHuman: true } };
        case "BeforeTool":
          return { ok: true, event: toolEvent(CHANGING_TOOLS, inSession, fields) };
        default:
          return { ok: true, event: { type: "other", name: fields.hook_event_name } };
      }
    }),
  block: (message, extras) => ({
    decision: "deny",
    reason: message,
    systemMessage: extras === undefined ? FOR_THE_HUMAN : extras.systemMessage,
  }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  deny: (message) => ({ decision: "deny", reason: message }),
  pass: null,
  coAuthor: "gemini-cli <218195315+gemini-cli@users.noreply.github.com>",
};

/** What another hook prepended to the prompt is not the human's. */
function withoutHookContext(prompt: string): string {
  return prompt.replace(/^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/, "");
}
