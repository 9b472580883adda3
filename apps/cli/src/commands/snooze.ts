import { userInfo } from "node:os";
import { isDeepStrictEqual } from "node:util";
import type { Snooze, SnoozeScope, Store } from "@agent-checkpoint/store";
import type { Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import { personOnly } from "../sessions/person-only.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { formatUntil, parseUntil } from "../time/snooze-times.ts";
import { withStore } from "../with-store.ts";
import { agentOption } from "./agent-option.ts";

interface SnoozeOptions extends SessionChoice {
  readonly reason?: string;
  readonly off?: true;
  readonly force?: true;
  readonly json?: true;
}

/** `checkpoint snooze`: lets stops pass for a while. */
export function snooze(command: Command, context: CommandContext): void {
  command
    .description(
      "Lets stops pass without a checkpoint for a while, at most 7 days: in this repository, or for one session. For people only: it refuses to run in an agent's shell call.",
    )
    .argument("[for...]", "how long: 30m, 2h, 1d, until 18:00")
    .option("--session <id>", "only this session, by id or prefix")
    .addOption(agentOption("the agent of that session"))
    .option("--reason <text>", "the reason, shown in the list")
    .option("--off", "judge stops again from now on")
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((words: string[], options: SnoozeOptions) => {
      if (options.off !== true)
        return words.length === 0 ? showSnoozes(options, context, "here") : startSnooze(words, options, context);
      if (words.length > 0) throw refused("a time and --off exclude each other");
      return endSnooze(options, context);
    });
  command
    .command("list")
    .summary("Show all snoozes")
    .description("Shows all snoozes, until when they last, and who made them.")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint snooze list\n  $ checkpoint snooze list --json\n")
    // The parent also has --json and may have consumed it.
    .action((_: object, list: Command) => showSnoozes(list.optsWithGlobals<SnoozeOptions>(), context, "everywhere"));
}

const HELP = `
Without a time it shows the snoozes here. A repository is its work tree: every
git worktree is snoozed separately.

Examples:
  $ checkpoint snooze 30m
  $ checkpoint snooze until 18:00 --reason "demo in this branch"
  $ checkpoint snooze 2h --session 3f1c0d77
  $ checkpoint snooze --off
  $ checkpoint snooze list
`;

async function startSnooze(words: readonly string[], options: SnoozeOptions, context: CommandContext): Promise<void> {
  const from = context.now();
  const parsed = parseUntil(words, from);
  if (!parsed.ok)
    throw refused(`"${visible(words.join(" "))}" ${parsed.detail}`, "See checkpoint snooze --help for examples.");
  await personOnly(context, options, SNOOZE);
  const { until } = parsed;
  const made = await withStore(context.home, async (store): Promise<Snooze> => {
    const scope = await scopeOf(store, context, options);
    const snooze = { scope, from, until, reason: options.reason ?? null, madeBy: userName(), madeIn: context.cwd };
    await store.snoozes.set(scope, snooze, from);
    return snooze;
  });
  if (options.json === true) return context.out(toJson(made));
  const session = made.scope.kind === "session" ? ` --session ${visible(made.scope.sessionId)}` : "";
  const stops = `stops ${describeScope(made.scope)}`;
  context.out(`Snoozed until ${formatUntil(until, from)}: ${stops} pass without a checkpoint.\n`);
  return context.out(`End it sooner: checkpoint snooze --off${session}\n`);
}

const SNOOZE = { deed: "snooze the checkpoint", answer: "snooze" } as const;

async function endSnooze(options: SnoozeOptions, context: CommandContext): Promise<void> {
  const { out, home, now } = context;
  await personOnly(context, options, SNOOZE);
  const { scope, ended } = await withStore(home, async (store) => {
    const meant = await scopeOf(store, context, options);
    return { scope: meant, ended: await store.snoozes.set(meant, null, now()) };
  });
  if (options.json === true) return out(toJson({ scope, ended }));
  return out(`Stops ${describeScope(scope)} ${ended === 0 ? "were not snoozed" : "are judged again"}.\n`);
}

/** Shows the snoozes: all, or those of the chosen scope. */
async function showSnoozes(
  options: SnoozeOptions,
  context: CommandContext,
  where: "here" | "everywhere",
): Promise<void> {
  const { out, home } = context;
  const now = context.now();
  const snoozes = await withStore(home, async (store) => {
    const all = await store.snoozes.list(now);
    if (where === "everywhere") return all;
    const scope = await scopeOf(store, context, options);
    return all.filter((one) => isDeepStrictEqual(one.scope, scope));
  });
  if (options.json === true) return out(toJson({ snoozes }));
  if (snoozes.length === 0) return out(where === "here" ? "Nothing is snoozed here.\n" : "Nothing is snoozed.\n");
  const rows = snoozes.map(({ scope, until, madeBy, reason }) => [
    formatUntil(until, now),
    describeScope(scope),
    visible(madeBy),
    visible(reason ?? ""),
  ]);
  return out(renderTable(["UNTIL", "STOPS", "BY", "REASON"], rows));
}

/** The named session, otherwise the current repository. */
async function scopeOf(store: Store, context: CommandContext, choice: SessionChoice): Promise<SnoozeScope> {
  if (choice.session === undefined) return { kind: "project", projectPath: repositoryOf(context.cwd) };
  const { agent, sessionId } = await findSession(store, context, choice);
  return { kind: "session", agent, sessionId };
}

function describeScope(scope: SnoozeScope): string {
  return scope.kind === "project"
    ? `in ${visible(scope.projectPath)}`
    : `of ${scope.agent} session ${visible(scope.sessionId)}`;
}

/** The name of the current user, or the number if there is none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
