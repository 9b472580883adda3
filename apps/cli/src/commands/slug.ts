import { Command } from "commander";
import type { SlugOptions } from "../slug/set-slug.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "./command-context.ts";

/** `checkpoint slug`: the plan that a session works on. */
export const slug: MakeCommand = (context) =>
  new Command("slug")
    .summary("Show or set the session's working slug")
    .description(
      "Shows or sets the working slug of a session: the folder under todos/ whose plan it works on. Meant is the session that runs this, else the newest one of this repository.",
    )
    .argument("[name]", "the folder's name")
    .option("--clear", "take the slug away")
    .option("--session <id>", "another session, by its id or how it begins")
    .addOption(agentOption("the newest session of this agent"))
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (name: string | undefined, options: SlugOptions) => {
      const { setSlug } = await import("../slug/set-slug.ts");
      return setSlug(name, options, context);
    });

const HELP = `
Agents may run it: Claude Code and Codex tell which of their sessions does.

Examples:
  $ checkpoint slug
  $ checkpoint slug retry-backoff
  $ checkpoint slug --clear
  $ checkpoint slug retry-backoff --agent codex
`;
