import { join } from "node:path";
import { CLI_VERSIONS, type AgentName } from "./cli-versions.ts";
import type { Scenario } from "./scenarios/scenario.ts";

/** The folders that recordings go to, each with a folder per agent. */
export interface RecordingFolders {
  readonly transcripts: string;
  readonly hookEvents: string;
}

/** The README of every recording folder: which file is from which version and what it shows. */
export function recordingReadmes(
  scenarios: readonly Scenario[],
  folders: RecordingFolders,
): Readonly<Record<string, string>> {
  const agents = [...new Set(scenarios.map(({ agent }) => agent))];
  return Object.fromEntries(
    agents.flatMap((agent) => {
      const mine = scenarios.filter((scenario) => scenario.agent === agent);
      return [
        [join(folders.transcripts, agent, "README.md"), transcriptsReadme(agent, mine)],
        [join(folders.hookEvents, agent, "README.md"), payloadsReadme(agent, mine)],
      ];
    }),
  );
}

const CLI_NAMES: Readonly<Record<AgentName, string>> = {
  claude: "Claude Code",
  gemini: "Gemini CLI",
  codex: "Codex",
  copilot: "Copilot CLI",
  qwen: "Qwen Code",
  opencode: "OpenCode",
  pi: "pi",
};

function transcriptsReadme(agent: AgentName, scenarios: readonly Scenario[]): string {
  return `# Transcripts of ${CLI_NAMES[agent]}

Recorded with the real CLI against a scripted model (\`node e2e/src/record.ts ${agent}\`), then redacted: vendor prompts
cut, lines that hold nothing else left out, ids made stable. All other lines are as the CLI wrote them.

| recording | version | shows |
| --- | --- | --- |
${scenarios.map((one) => `| ${one.name} | ${versionOf(one)} | ${one.shows} |`).join("\n")}
`;
}

function payloadsReadme(agent: AgentName, scenarios: readonly Scenario[]): string {
  const rows = scenarios.flatMap((one) =>
    Object.entries(one.keptPayloads ?? {}).map(([name, { event, nth }]) => {
      const recording = `\`${one.name}\``;
      return `| ${name}.json | ${versionOf(one)} | ${event} number ${nth} of ${recording} |`;
    }),
  );
  return `# What ${CLI_NAMES[agent]} sends to hooks

Payloads on a hook's stdin, byte for byte except for stable ids, from the sessions in \`packages/transcript/fixtures/${agent}\`.

| payload | version | is the |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function versionOf({ agent, version }: Scenario): string {
  return version ?? CLI_VERSIONS[agent].newest;
}
