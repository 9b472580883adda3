import { Command } from "commander";
import type { PreviewChoice } from "../preview/choose-session.ts";
import type { Preview } from "../preview/preview-here.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint preview`: the message that a stop would give now. */
export const preview: MakeCommand = (context) =>
  new Command("preview")
    .summary("Show the message that a stop would give right now")
    .description(
      "Prints the message that a stop in this folder would give right now, and on stderr whether it would reach the agent or why the stop would pass. Uses the newest session in this repository, or only the changed files if there is none. Nothing is sent or recorded.",
    )
    .option("--session <id>", "another session, by id or prefix")
    .addOption(agentOption("the newest session of this agent"))
    .option("--transcript <file>", "the session of this transcript")
    .option("--files-only", "ignore sessions, judge only the changed files")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async ({ json, ...choice }: PreviewChoice & { readonly json?: true }) => {
      const { previewHere } = await import("../preview/preview-here.ts");
      const { out, err, isTerminal } = context;
      const found = await previewHere(context, choice);
      if (json === true) return out(toJson(found));
      out(isTerminal ? `${found.message.split("\n").map(visible).join("\n")}\n\n` : found.message);
      return err(`${summary(found)}\n`);
    });

const HELP = `
When piped, stdout is exactly the message.

Examples:
  $ checkpoint preview
  $ checkpoint preview --agent codex
  $ checkpoint preview --transcript ~/.claude/projects/-home-me-app/3f1c0d77.jsonl
  $ checkpoint preview --json | jq .deliver
`;

function summary({ deliver, sentence, agent, sessionId, filesAlone }: Preview): string {
  const what = deliver ? "A stop now would be blocked with this message" : "A stop now would pass without this message";
  const of =
    filesAlone === null
      ? `${agent} session ${visible(sessionId ?? "by its transcript")}`
      : `files alone: ${filesAlone}`;
  return `${what} (${of}). ${visible(sentence)}`;
}
