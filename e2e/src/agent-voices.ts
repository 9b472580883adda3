import { type AgentName, wantsOldest } from "./cli-versions.ts";
import type { ScreenStep } from "./drive-screen.ts";
import type { ModelCall } from "./fake-models/model-script.ts";
import { INSIDE } from "./sandbox.ts";

/** The agents that `checkpoint-hook` serves. */
export type HookAgent = AgentName;

/** The same work in each agent's own words, and the events at which a turn begins and ends. */
export interface AgentVoice {
  readonly read: (file: string) => ModelCall;
  /** Replaces a whole line. */
  readonly edit: (file: string, from: string, to: string) => ModelCall;
  readonly shell: (command: string) => ModelCall;
  readonly events: readonly string[];
  /** The hook's message in the model's request after a blocked stop. */
  readonly hookWords: (told: string) => string;
  /** Additional start options of the CLI. */
  readonly args?: readonly string[];
  /** What a person presses at the screen to interrupt it. */
  readonly interrupt: readonly ScreenStep[];
}

/** The voice of an agent with sub-agents of its own. */
export interface LeadingVoice extends AgentVoice {
  /** Starts a sub-agent with a task. */
  readonly delegate: (task: string) => ModelCall;
}

const ESCAPE: readonly ScreenStep[] = [{ press: "Escape" }];
const ESCAPE_TWICE: readonly ScreenStep[] = [{ press: "Escape" }, { pauseMs: 150 }, { press: "Escape" }];

/** How each agent speaks. */
export const VOICES: Readonly<Record<HookAgent, AgentVoice> & Record<"copilot" | "qwen" | "opencode", LeadingVoice>> = {
  claude: {
    read: (file) => ({ tool: "Read", input: { file_path: `${INSIDE.project}/${file}` } }),
    edit: (file, old_string, new_string) => ({
      tool: "Edit",
      input: { file_path: `${INSIDE.project}/${file}`, old_string, new_string },
    }),
    shell: (command) => ({ tool: "Bash", input: { command, description: "Run it" } }),
    events: ["UserPromptSubmit", "Stop"],
    hookWords: (told) => told.replace(/^Stop hook feedback:\n/, ""),
    interrupt: ESCAPE,
  },
  gemini: {
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: "replace",
      input: { file_path, old_string, new_string, instruction: "Change it" },
    }),
    shell: (command) => ({ tool: "run_shell_command", input: { command, description: "Run it" } }),
    events: ["BeforeAgent", "AfterAgent"],
    hookWords: (told) => told,
    interrupt: ESCAPE,
  },
  codex: {
    read: (file) => ({ tool: "exec_command", input: { cmd: `cat ${file}` } }),
    edit: (file, from, to) => ({
      tool: "apply_patch",
      input: ["*** Begin Patch", `*** Update File: ${file}`, "@@", `-${from}`, `+${to}`, "*** End Patch"].join("\n"),
    }),
    shell: (cmd) => ({ tool: "exec_command", input: { cmd } }),
    events: ["UserPromptSubmit", "Stop"],
    hookWords: (told) =>
      unescapeXml(/^<hook_prompt hook_run_id="[^"]+">([^]*)<\/hook_prompt>$/.exec(told)?.[1] ?? told),
    args: ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"],
    interrupt: ESCAPE,
  },
  copilot: {
    read: (file) => ({ tool: "view", input: { path: `${INSIDE.project}/${file}` } }),
    edit: (file, old_str, new_str) => ({
      tool: "edit",
      input: { path: `${INSIDE.project}/${file}`, old_str, new_str },
    }),
    shell: (command) => ({ tool: "bash", input: { command, description: "Run it" } }),
    events: ["UserPromptSubmit", "Stop"],
    hookWords: (told) =>
      told.replaceAll(/^<current_datetime>[^<]*<\/current_datetime>\s*|\s*<reminder>[^]*<\/reminder>\s*$/g, ""),
    delegate: (prompt) => ({
      tool: "task",
      input: { description: "Check", prompt, agent_type: "general-purpose", name: "checker", mode: "sync" },
    }),
    interrupt: ESCAPE_TWICE,
  },
  qwen: {
    read: (file) => ({ tool: "read_file", input: { file_path: `${INSIDE.project}/${file}` } }),
    edit: (file, old_string, new_string) => ({
      tool: "edit",
      input: { file_path: `${INSIDE.project}/${file}`, old_string, new_string },
    }),
    shell: (command) => ({
      tool: "run_shell_command",
      input: { command, description: "Run it", is_background: false },
    }),
    events: ["UserPromptSubmit", "Stop"],
    hookWords: (told) => told,
    delegate: (prompt) => ({
      tool: "agent",
      input: { description: "Check", prompt, subagent_type: "general-purpose" },
    }),
    interrupt: ESCAPE,
  },
  opencode: {
    read: (file) => ({ tool: "read", input: { filePath: `${INSIDE.project}/${file}` } }),
    edit: (file, oldString, newString) => ({
      tool: "edit",
      input: { filePath: `${INSIDE.project}/${file}`, oldString, newString },
    }),
    shell: (command) => ({ tool: "bash", input: { command, description: "Run it" } }),
    events: ["UserPromptSubmit", "Stop"],
    hookWords: (told) => told,
    delegate: (prompt) => ({ tool: "task", input: { description: "Check", prompt, subagent_type: "general" } }),
    interrupt: ESCAPE_TWICE,
  },
  pi: {
    read: (path) => ({ tool: "read", input: { path } }),
    edit: (path, oldText, newText) => ({ tool: "edit", input: { path, edits: [{ oldText, newText }] } }),
    shell: (command) => ({ tool: "bash", input: { command } }),
    events: ["UserPromptSubmit", "Stop"],
    hookWords: (told) => told,
    interrupt: ESCAPE,
  },
};

const NOT_TOLD_BY_OLD = wantsOldest() ? "already-blocked" : "asked-before";

/**
 * Why the stop after a block passes. Gemini CLI does not tell that it is one after a retry with tools; OpenCode, pi and the
 * oldest versions of Copilot CLI and Qwen Code never do.
 */
export const SECOND_STOP: Readonly<Record<HookAgent, "asked-before" | "already-blocked">> = {
  claude: "asked-before",
  gemini: "already-blocked",
  codex: "asked-before",
  copilot: NOT_TOLD_BY_OLD,
  qwen: NOT_TOLD_BY_OLD,
  opencode: "already-blocked",
  pi: "already-blocked",
};

const XML_ESCAPES: readonly (readonly [string, string])[] = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
];

function unescapeXml(text: string): string {
  return XML_ESCAPES.reduce((plain, [escape, character]) => plain.replaceAll(escape, character), text);
}
