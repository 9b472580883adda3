import type { AgentName } from "../cli-versions.ts";
import { CUT } from "./cut.ts";
import { type ClaudeLine, cutClaudeLines } from "./cut-claude-lines.ts";
import { type CodexLine, cutCodexLines } from "./cut-codex-lines.ts";
import { cutGeminiLines } from "./cut-gemini-lines.ts";
import { cutCopilotLines, cutPiLines, cutQwenLines, type TypedLine } from "./cut-typed-lines.ts";

/**
 * Takes a vendor's words out of a transcript, one JSON value a line or one for the whole file.
 * A line that needs no cut stays byte for byte.
 */
export function cutVendorText(agent: AgentName, text: string): string {
  const whole = parse(text);
  if (whole !== undefined && text.trimEnd().includes("\n"))
    return cutWrappedText(JSON.stringify(CUT_LINES[agent]([whole])[0], null, 2));
  const rawByValue = new Map<unknown, string>();
  for (const raw of text.split("\n")) {
    const value = parse(raw);
    if (value !== undefined) rawByValue.set(value, raw);
  }
  const lines = CUT_LINES[agent]([...rawByValue.keys()]).map((value) => rawByValue.get(value) ?? JSON.stringify(value));
  return cutWrappedText(lines.join("\n") + (text.endsWith("\n") ? "\n" : ""));
}

/** What of each CLI's lines is its vendor's text; a line that needs no cut comes back as the same value. */
const CUT_LINES: Readonly<Record<AgentName, (lines: readonly unknown[]) => readonly unknown[]>> = {
  claude: (lines) => cutClaudeLines(lines as readonly ClaudeLine[]),
  gemini: cutGeminiLines,
  codex: (lines) => cutCodexLines(lines as readonly CodexLine[]),
  copilot: (lines) => cutCopilotLines(lines as readonly TypedLine[]),
  qwen: (lines) => cutQwenLines(lines as readonly TypedLine[]),
  // The file is our own: OpenCode's prompts are not in it.
  opencode: (lines) => lines,
  pi: (lines) => cutPiLines(lines as readonly TypedLine[]),
};

/** Empties the long passages that a CLI puts around other texts; works on JSON as text, so nothing else changes. */
function cutWrappedText(json: string): string {
  return json.replaceAll(WRAPPED, String.raw`<$1>\n${CUT}\n</$1>`).replaceAll(HAND_BACK, `$1 ${CUT} $2`);
}

const WRAPPED = /<(system-reminder|session_context|local-command-caveat)>(?:(?!<\/\1>).){200,}<\/\1>/g;
const HAND_BACK = /(\[Subagent hand-back\]) .*? (The report follows:)/g;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
