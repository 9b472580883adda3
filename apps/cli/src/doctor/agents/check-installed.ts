import { isAtLeast } from "@agent-checkpoint/agents";
import { fail, type Finding, ok, warn } from "../finding.ts";
import type { AgentCase } from "./agent-case.ts";

/** Claude Code's events of old: an older version that finds another one drops the whole file. */
const FIRST_CLAUDE_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "Notification",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "SubagentStop",
  "PreCompact",
]);

/** Whether the agent's program is there, and new enough for hooks. */
export function checkInstalled({ settings, installed, files }: AgentCase): readonly Finding[] {
  const { title, program, events, agent } = settings;
  if (installed === null)
    return [warn(`${program} is not on the PATH`, `Install ${title}, or call the doctor with the PATH that has it.`)];
  const { version, path } = installed;
  const late = events.find(({ since }) => version !== null && !isAtLeast(version, since));
  if (late !== undefined)
    return [
      fail(
        `${version} does not know the event ${late.name}, which came with ${late.since}`,
        agent === "codex" ? `Update ${title}, or run checkpoint-codex watch.` : `Update ${title}.`,
      ),
    ];
  if (agent === "claude" && version !== null && !isAtLeast(version, "2.1.120")) {
    const odd = files.flatMap((file) =>
      file.registrations.filter(({ event }) => !FIRST_CLAUDE_EVENTS.has(event)).map(({ event }) => ({ event, file })),
    );
    const [first] = odd;
    if (first !== undefined)
      return [
        fail(
          `${version} drops all of ${first.file.path}, because it does not know the event ${first.event}`,
          "Update Claude Code to 2.1.120 or newer, or take that event out.",
        ),
      ];
  }
  return [ok(version === null ? `${path}, of unknown version` : version)];
}
