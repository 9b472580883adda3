import * as v from "valibot";
import { flag, parsePayload, text } from "./payload-fields.ts";
import type { Wire } from "./wire.ts";

const Fields = v.object({
  hook_event_name: v.string(),
  session_id: text,
  turn_id: text,
  transcript_path: text,
  cwd: text,
  permission_mode: text,
  stop_hook_active: flag,
  last_assistant_message: text,
  prompt: text,
});

/** Codex's `Stop` and `UserPromptSubmit`. */
export const codex: Wire = {
  parse: (payload) =>
    parsePayload(Fields, payload, (fields) => {
      const inSession = {
        sessionId: fields.session_id,
        projectPath: fields.cwd || process.cwd(),
        transcriptPath: fields.transcript_path,
        promptId: fields.turn_id,
      };
      switch (fields.hook_event_name) {
        case "Stop":
          return {
            ok: true,
            event: {
              ...inSession,
              type: "stop",
              isRepeated: fields.stop_hook_active,
              exemption: fields.permission_mode === "plan" ? "plan-mode" : null,
              promptText: null,
              // Its rollout is written before its hooks run.
              lastMessage: null,
            },
          };
        case "UserPromptSubmit":
          return { ok: true, event: { ...inSession, type: "prompt", text: fields.prompt ?? "", isHuman: true } };
        default:
          return { ok: true, event: { type: "other", name: fields.hook_event_name } };
      }
    }),
  block: (message) => ({ decision: "block", reason: message }),
  pass: {},
};
