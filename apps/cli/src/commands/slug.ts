import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSafeSlug } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import type { Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { agentOption } from "./agent-option.ts";

interface SlugOptions extends SessionChoice {
  readonly clear?: true;
  readonly json?: true;
}

/** `checkpoint slug`: the plan that a session works on. */
export function slug(command: Command, context: CommandContext): void {
  command
    .description(
      "Shows or sets the working slug of a session: the folder under todos/ whose plan it works on. Defaults to the session that runs this command, or the newest one in this repository.",
    )
    .argument("[name]", "the folder's name")
    .option("--clear", "remove the slug")
    .option("--session <id>", "another session, by id or prefix")
    .addOption(agentOption("the newest session of this agent"))
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((name: string | undefined, options: SlugOptions) => setSlug(name, options, context));
}

const HELP = `
Agents may run it: Claude Code and Codex reveal their session in the environment.

Examples:
  $ checkpoint slug
  $ checkpoint slug retry-backoff
  $ checkpoint slug --clear
  $ checkpoint slug retry-backoff --agent codex
`;

async function setSlug(name: string | undefined, options: SlugOptions, context: CommandContext): Promise<void> {
  const { out, home, cwd } = context;
  const wanted = wantedSlug(name, options);
  const { agent, sessionId, record } = await withStore(home, async (store) => {
    const found = await findSession(store, context, options);
    const isNew = found.record === null;
    if (wanted !== undefined)
      await store.sessions.update(found.agent, found.sessionId, {
        workingSlug: wanted,
        ...(isNew && { projectPath: cwd }),
      });
    return found;
  });
  const workingSlug = wanted === undefined ? (record?.workingSlug ?? null) : wanted;
  const projectPath = record?.projectPath ?? cwd;
  const path = workingSlug === null ? null : join("todos", workingSlug, "implementation-plan.md");
  const plan = path === null ? null : { path, exists: existsSync(join(findGitRoot(projectPath) ?? projectPath, path)) };
  if (options.json === true) return out(toJson({ agent, sessionId, projectPath, workingSlug, plan }));
  const session = `${agent} session ${visible(sessionId)}`;
  if (workingSlug === null || plan === null) return out(`No working slug (${session}).\n`);
  out(`${visible(workingSlug)} (${session})\n`);
  const shown = visible(plan.path);
  return out(plan.exists ? `Plan: ${shown}\n` : `There is no plan yet: ${shown} is missing.\n`);
}

/** The slug to set, null to remove it, undefined to only show it. */
function wantedSlug(name: string | undefined, { clear }: SlugOptions): string | null | undefined {
  if (clear === true && name !== undefined) throw refused("a name and --clear exclude each other");
  if (clear === true) return null;
  if (name === undefined || isSafeSlug(name)) return name;
  throw refused(
    `"${visible(name)}" is not a plain folder name`,
    "A slug is the name of a folder under todos/: no slashes, no dots that lead elsewhere, at most 200 characters.",
  );
}
