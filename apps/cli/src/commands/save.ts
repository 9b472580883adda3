import { Command } from "commander";
import type { SaveOptions } from "../save/save-session.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint save`: commits a session's own files, with the status document. */
export const save: MakeCommand = (context) =>
  new Command("save")
    .summary("Save a session's work: a snapshot, then a commit of its own files")
    .description(
      "Takes a snapshot, writes the state of the work into the status document, and commits only what this session's agent wrote. Defaults to the session that runs this command, or the newest one in this repository.",
    )
    .option("--session <id>", "another session, by id or prefix")
    .addOption(agentOption("the newest session of this agent"))
    .option("--allow-protected", "also commit on a protected branch")
    .option("--push", "push the commit to the branch's own upstream, whatever the config says")
    .option("--no-push", "do not push, whatever the config says")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (options: SaveOptions) => {
      const { saveSession } = await import("../save/save-session.ts");
      return saveSession(options, context);
    });

const HELP = `
A file that someone else has changed too is left out and listed. What others have
staged stays staged; hooks and signatures stay on. Without a commit the work tree
is unchanged. docs/autosave.md explains when a save is refused.

Examples:
  $ checkpoint save
  $ checkpoint save --session 3f1c0d77 --allow-protected
  $ checkpoint save --push --json
`;
