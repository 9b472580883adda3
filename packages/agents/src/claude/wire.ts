import {
  anything,
  type ChangingTools,
  changesFile,
  flag,
  name,
  objects,
  parsePayload,
  runsCommand,
  text,
  toolEvent,
} from "../wire/payload.ts";
import type { AnswerExtras, Payload, StopEvent, Wire } from "../wire/wire.ts";

const FIELDS = {
  hook_event_name: name,
  session_id: text,
  transcript_path: text,
  cwd: text,
  prompt_id: text,
  permission_mode: text,
  stop_hook_active: flag,
  last_assistant_message: text,
  background_tasks: objects,
  agent_id: text,
  prompt: text,
  tool_name: text,
  tool_input: anything,
};

/** Texts that Claude Code submits as prompts itself. */
const NOTIFICATION = /^\s*<(?:task|bash)-notification>/;

/** Tools that change something; those of servers that a person has added are not known. */
const CHANGING_TOOLS: ChangingTools = {
  Edit: changesFile("file_path"),
  MultiEdit: changesFile("file_path"),
  Write: changesFile("file_path"),
  NotebookEdit: changesFile("notebook_path"),
  Bash: runsCommand("command"),
  PowerShell: runsCommand("command"),
};

/** Claude Code's `Stop`, `UserPromptSubmit`, `PreToolUse` and `PreCompact`. */
export const claude: Wire = {
  parse: (payload, env) =>
    parsePayload(FIELDS, payload, (fields) => {
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
              runningTasks: runningTasks(fields.background_tasks),
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
        case "PreToolUse":
          return { ok: true, event: toolEvent(CHANGING_TOOLS, inSession.projectPath, fields) };
        case "PreCompact":
          return { ok: true, event: { ...inSession, type: "compaction" } };
        default:
          return { ok: true, event: { type: "other", name: fields.hook_event_name } };
      }
    }),
  block: (message, extras) => ({ decision: "block", reason: message, ...(extras !== undefined && told(extras)) }),
  tell: told,
  deny: (message) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: message,
    },
  }),
  pass: null,
  maxTurns: (argv) => {
    const at = argv.findIndex((word) => /^--max-turns(?:=|$)/.test(word));
    const limit = Number(argv[at]?.split("=")[1] ?? argv[at + 1]);
    return at !== -1 && limit > 0 ? limit : null;
  },
  coAuthor: "Claude <noreply@anthropic.com>",
};

/** Keys that Claude Code does not know are harmless there. */
function told({ systemMessage, execution }: AnswerExtras): object {
  return { systemMessage, ...(execution !== undefined && { autonomous_execution: execution }) };
}

/** As long as an id of ours may be; those of Claude Code have nine to seventeen characters. */
const MAX_TASK_ID = 100;

function runningTasks(tasks: readonly Payload[]): readonly string[] {
  return tasks.flatMap(({ id, status }) =>
    status === "running" ? [typeof id === "string" ? id.slice(0, MAX_TASK_ID) : ""] : [],
  );
}

function exemptionOf(fields: {
  readonly permission_mode: string | null;
  readonly agent_id: string | null;
}): StopEvent["exemption"] {
  if (fields.permission_mode === "plan") return "plan-mode";
  return fields.agent_id === null ? null : "sub-agent";
}
