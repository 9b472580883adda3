import {
  anything,
  appliesPatch,
  type ChangingTools,
  flag,
  name,
  parsePayload,
  runsCommand,
  text,
  toolEvent,
} from "../wire/payload.ts";
import type { Wire } from "../wire/wire.ts";

const FIELDS = {
  hook_event_name: name,
  session_id: text,
  turn_id: text,
  transcript_path: text,
  cwd: text,
  permission_mode: text,
  stop_hook_active: flag,
  last_assistant_message: text,
  prompt: text,
  tool_name: text,
  tool_input: anything,
};

/** Tools that change something; those of servers that a person has added are not known. */
const CHANGING_TOOLS: ChangingTools = {
  apply_patch: appliesPatch("command"),
  Bash: runsCommand("command"),
};

/** Codex's `Stop`, `UserPromptSubmit` and `PreToolUse`. */
export const codex: Wire = {
  parse: (payload) =>
    parsePayload(FIELDS, payload, (fields) => {
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
        case "PreToolUse":
          return { ok: true, event: toolEvent(CHANGING_TOOLS, inSession.projectPath, fields) };
        default:
          return { ok: true, event: { type: "other", name: fields.hook_event_name } };
      }
    }),
  // Keys beyond its schema were not measured there, so a block stays as it is known to work.
  block: (message) => ({ decision: "block", reason: message }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  deny: (message) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: message,
    },
  }),
  pass: {},
  coAuthor: "Codex <noreply@openai.com>",
};
