import * as v from "valibot";
import type { StopEvent } from "@agent-checkpoint/gate";
import { flag, parsePayload, text } from "./payload-fields.ts";
import type { Wire } from "./wire.ts";

const Fields = v.object({
  hook_event_name: v.string(),
  session_id: text,
  transcript_path: text,
  cwd: text,
  prompt_id: text,
  permission_mode: text,
  stop_hook_active: flag,
  last_assistant_message: text,
  background_tasks: v.nullish(v.array(v.object({ status: text })), []),
  agent_id: text,
  prompt: text,
});

/** Texts that Claude Code submits as prompts itself. */
const NOTIFICATION = /^\s*<(?:task|bash)-notification>/;

/** Claude Code's `Stop` and `UserPromptSubmit`. */
export const claude: Wire = {
  parse: (payload, env) =>
    parsePayload(Fields, payload, (fields) => {
      const inSession = {
        sessionId: fields.session_id,
        // `cwd` follows the agent's `cd`.
        projectPath: env["CLAUDE_PROJECT_DIR"] || fields.cwd || process.cwd(),
        transcriptPath: fields.transcript_path,
        promptId: fields.prompt_id,
      };
      switch (fields.hook_event_name) {
        case "Stop":
          return {
            ok: true,
            event: {
              ...inSession,
              type: "stop",
              isRepeated: fields.stop_hook_active,
              exemption: exemptionOf(fields),
              promptText: null,
              lastMessage: fields.last_assistant_message,
            },
          };
        case "UserPromptSubmit": {
          const prompt = fields.prompt ?? "";
          return {
            ok: true,
            event: { ...inSession, type: "prompt", text: prompt, isHuman: !NOTIFICATION.test(prompt) },
          };
        }
        default:
          return { ok: true, event: { type: "other", name: fields.hook_event_name } };
      }
    }),
  block: (message) => ({ decision: "block", reason: message }),
  pass: null,
};

function exemptionOf(fields: v.InferOutput<typeof Fields>): StopEvent["exemption"] {
  if (fields.permission_mode === "plan") return "plan-mode";
  if (fields.background_tasks.some(({ status }) => status === "running")) return "background-tasks";
  return fields.agent_id === null ? null : "sub-agent";
}
