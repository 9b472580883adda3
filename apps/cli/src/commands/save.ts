import { Command } from "commander";
import type { SaveOptions } from "../save/save-session.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "./command-context.ts";

/** `checkpoint save`: commits a session's own files, with the status document. */
export const save: MakeCommand = (context) =>
  new Command("save")
    .summary("Save a session's work: a safety checkpoint, then a commit of its own files")
    .description(
      "Takes a safety checkpoint, writes where the work stands into the status document, and commits what this session's agent wrote and nothing else. Meant is the session that runs this, else the newest one of this repository.",
    )
    .option("--session <id>", "another session, by its id or how it begins")
    .addOption(agentOption("the newest session of this agent"))
    .option("--allow-protected", "commit on a protected branch too")
    .option("--push", "push the commit to the branch's own upstream, whatever the config says")
    .option("--no-push", "do not push, whatever the config says")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (options: SaveOptions) => {
      const { saveSession } = await import("../save/save-session.ts");
      return saveSession(options, context);
    });

const HELP = `
A file that somebody else has changed as well is left out and named. What others
have staged stays staged; hooks and signatures stay on. Where there is no commit,
the work tree is as it was. docs/autosave.md tells when it is refused.

Examples:
  $ checkpoint save
  $ checkpoint save --session 3f1c0d77 --allow-protected
  $ checkpoint save --push --json
`;
