import { Command } from "commander";
import type { SlugOptions } from "../slug/set-slug.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint slug`: the plan that a session works on. */
export const slug: MakeCommand = (context) =>
  new Command("slug")
    .summary("Show or set the session's working slug")
    .description(
      "Shows or sets the working slug of a session: the folder under todos/ whose plan it works on. Defaults to the session that runs this command, or the newest one in this repository.",
    )
    .argument("[name]", "the folder's name")
    .option("--clear", "remove the slug")
    .option("--session <id>", "another session, by id or prefix")
    .addOption(agentOption("the newest session of this agent"))
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (name: string | undefined, options: SlugOptions) => {
      const { setSlug } = await import("../slug/set-slug.ts");
      return setSlug(name, options, context);
    });

const HELP = `
Agents may run it: Claude Code and Codex reveal their session in the environment.

Examples:
  $ checkpoint slug
  $ checkpoint slug retry-backoff
  $ checkpoint slug --clear
  $ checkpoint slug retry-backoff --agent codex
`;
