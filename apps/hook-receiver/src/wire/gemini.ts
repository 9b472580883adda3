import * as v from "valibot";
import { flag, parsePayload, text } from "./payload-fields.ts";
import type { Wire } from "./wire.ts";

const Fields = v.object({
  hook_event_name: v.string(),
  session_id: text,
  transcript_path: text,
  cwd: text,
  prompt: text,
  prompt_response: text,
  stop_hook_active: flag,
});

/** What Gemini CLI reports as the reply of a turn that was cancelled while it streamed. */
const CANCELLED = "[no response text]";

/** What the human sees instead of the checklist. */
const FOR_THE_HUMAN = "agent-checkpoint: asked the agent to finish the open steps before it stops (once per turn).";

/** Gemini CLI's `AfterAgent` and `BeforeAgent`. */
export const gemini: Wire = {
  parse: (payload, env) =>
    parsePayload(Fields, payload, (fields) => {
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
        default:
          return { ok: true, event: { type: "other", name: fields.hook_event_name } };
      }
    }),
  block: (message) => ({ decision: "deny", reason: message, systemMessage: FOR_THE_HUMAN }),
  pass: null,
};

/** What another hook prepended to the prompt is not the human's. */
function withoutHookContext(prompt: string): string {
  return prompt.replace(/^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/, "");
}
