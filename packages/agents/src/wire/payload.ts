import { type ChangingTools, toolEvent } from "./tools.ts";
import type { ParsedEvent, Payload, PromptEvent, StopEvent, Wire } from "./wire.ts";

/**
 * What a field of a payload may hold, and how it is read; undefined if it holds something else.
 * A library for this would take as long to load and run as all else that a stop needs that passes by its flag.
 */
interface Field<Output> {
  readonly expected: string;
  readonly read: (value: unknown) => Output | undefined;
}

/** The fields of an agent's payloads, by name. */
type Fields<Output> = { readonly [Name in keyof Output]: Field<Output[Name]> };

/** A field that has to be a string. */
export const name: Field<string> = {
  expected: "a string",
  read: (value) => (typeof value === "string" ? value : undefined),
};

/** A field that may be missing, null or a string; an empty string is as good as none. */
export const text: Field<string | null> = {
  expected: "a string",
  read: (value) => (value === undefined || value === null || value === "" ? null : name.read(value)),
};

/** A field that may be missing, null or a boolean. */
export const flag: Field<boolean> = {
  expected: "true or false",
  read: (value) => (value === undefined || value === null ? false : typeof value === "boolean" ? value : undefined),
};

/** A field that may hold anything. */
export const anything: Field<{ readonly value: unknown }> = {
  expected: "anything",
  read: (value) => ({ value }),
};

const MAX_ITEMS = 100;

/** A field that may be missing, null or a list of objects; the first ones are read. */
export const objects: Field<readonly Payload[]> = {
  expected: "a list of objects",
  read: (value) => {
    if (value === undefined || value === null) return [];
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : undefined;
    return items?.every((item): item is Payload => typeof item === "object" && item !== null) ? items : undefined;
  },
};

/** Reads the fields of a payload and turns them into an event. */
export function parsePayload<Output extends object>(
  fields: Fields<Output>,
  payload: Payload,
  toEvent: (fields: Output) => ParsedEvent,
): ParsedEvent {
  const found: Partial<Output> = {};
  for (const key of Object.keys(fields) as (keyof Output & string)[]) {
    const { expected, read } = fields[key];
    const value = read(Object.hasOwn(payload, key) ? payload[key] : undefined);
    if (value === undefined)
      return { ok: false, detail: `${key}: expected ${expected}, found ${kindOf(payload[key])}` };
    found[key] = value;
  }
  return toEvent(found as Output);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

/** The fields of Claude Code's events, and of agents with the same events. */
export interface ClaudeFields {
  readonly hook_event_name: string;
  readonly session_id: string | null;
  readonly transcript_path: string | null;
  readonly cwd: string | null;
  readonly prompt_id: string | null;
  readonly turn_id: string | null;
  readonly permission_mode: string | null;
  readonly stop_hook_active: boolean;
  readonly last_assistant_message: string | null;
  readonly background_tasks: readonly Payload[];
  readonly agent_id: string | null;
  readonly prompt: string | null;
  readonly tool_name: string | null;
  readonly tool_input: { readonly value: unknown };
}

const FIELDS: Fields<ClaudeFields> = {
  hook_event_name: name,
  session_id: text,
  transcript_path: text,
  cwd: text,
  prompt_id: text,
  turn_id: text,
  permission_mode: text,
  stop_hook_active: flag,
  last_assistant_message: text,
  background_tasks: objects,
  agent_id: text,
  prompt: text,
  tool_name: text,
  tool_input: anything,
};

/** What an agent with Claude Code's events does in its own way. */
export interface Dialect {
  readonly tools: ChangingTools;
  /** The variable with the folder that the agent was started in; `cwd` may follow the agent's `cd`. */
  readonly projectVariable?: string;
  readonly stop?: (fields: ClaudeFields, payload: Payload) => Partial<StopEvent>;
  readonly prompt?: (fields: ClaudeFields, payload: Payload) => Partial<PromptEvent>;
}

/** The `Stop`, `UserPromptSubmit`, `PreToolUse` and `PreCompact` that several agents have taken over from Claude Code. */
export function claudeShaped({ tools, projectVariable, stop, prompt }: Dialect): Pick<Wire, "parse" | "deny"> {
  return {
    parse: (payload, env) =>
      parsePayload(FIELDS, payload, (fields) => {
        const inSession = {
          sessionId: fields.session_id,
          projectPath: (projectVariable && env[projectVariable]) || fields.cwd || process.cwd(),
          transcriptPath: fields.transcript_path,
          promptId: fields.prompt_id ?? fields.turn_id,
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
                ...stop?.(fields, payload),
              },
            };
          case "UserPromptSubmit":
            return {
              ok: true,
              event: {
                ...inSession,
                type: "prompt",
                text: fields.prompt ?? "",
                isHuman: true,
                ...prompt?.(fields, payload),
              },
            };
          case "PreToolUse":
            return { ok: true, event: toolEvent(tools, inSession, fields) };
          case "PreCompact":
            return { ok: true, event: { ...inSession, type: "compaction" } };
          default:
            return { ok: true, event: { type: "other", name: fields.hook_event_name } };
        }
      }),
    deny: (message) => ({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: message,
      },
    }),
  };
}

/** As long as an id of ours may be; those of Claude Code have nine to seventeen characters. */
const MAX_TASK_ID = 100;

function runningTasks(tasks: readonly Payload[]): readonly string[] {
  return tasks.flatMap(({ id, status }) =>
    status === "running" ? [typeof id === "string" ? id.slice(0, MAX_TASK_ID) : ""] : [],
  );
}

function exemptionOf({ permission_mode, agent_id }: ClaudeFields): StopEvent["exemption"] {
  if (permission_mode === "plan") return "plan-mode";
  return agent_id === null ? null : "sub-agent";
}
