import { inlineCode } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/redaction";
import type { AgentName } from "@agent-checkpoint/transcript";

/** What a commit's message tells. */
export interface MessageFacts {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly branch: string;
  readonly percent: number | null;
  readonly trigger: "stop" | "compaction" | "asked";
  readonly files: readonly string[];
  readonly leftOut: number;
  readonly openActions: number;
  readonly checkpointId: string;
  readonly hasCoAuthor: boolean;
}

/** The name that each agent signs with. */
const CO_AUTHORS: Readonly<Record<AgentName, string>> = {
  claude: "Claude <noreply@anthropic.com>",
  gemini: "gemini-cli <218195315+gemini-cli@users.noreply.github.com>",
  codex: "Codex <noreply@openai.com>",
};

const TRIGGERS = {
  stop: "because the context reached the threshold",
  compaction: "before a compaction",
  asked: "on request",
} as const;

/** A commit's message from its template, without secrets and with the trailers that it always has. */
export function commitMessage(template: string, facts: MessageFacts): string {
  const { agent, sessionId, branch, percent, files, checkpointId, hasCoAuthor } = facts;
  const places: Readonly<Record<string, string>> = {
    facts: factsOf(facts),
    agent,
    branch: inlineCode(branch).slice(1, -1),
    files: String(files.length),
    percent: percent === null ? "unknown" : String(Math.round(percent)),
    session: inlineCode(sessionId).slice(1, -1),
  };
  const body = template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole).trimEnd();
  const trailers = [`Checkpoint-Id: ${checkpointId}`, ...(hasCoAuthor ? [`Co-Authored-By: ${CO_AUTHORS[agent]}`] : [])];
  return `${redact(body)}\n\n${trailers.join("\n")}\n`;
}

function factsOf({ agent, sessionId, percent, trigger, files, leftOut, openActions }: MessageFacts): string {
  return [
    `Saved ${TRIGGERS[trigger]}${percent === null ? "" : ` (${Math.round(percent)} % in use)`}.`,
    "",
    `Agent: ${agent}, session ${inlineCode(sessionId).slice(1, -1)}`,
    `Files: ${files.length}${leftOut > 0 ? `, ${leftOut} left out` : ""}`,
    `Required actions still open: ${openActions}`,
  ].join("\n");
}
