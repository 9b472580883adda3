import { userInfo } from "node:os";
import type { Snooze, SnoozeScope, Store } from "@agent-checkpoint/store";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import type { Environment } from "../environment.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { personOnly } from "./person-only.ts";
import { formatUntil, parseUntil } from "./snooze-times.ts";

/** Lets stops pass from now on, and prints until when. */
export async function startSnooze(
  words: readonly string[],
  options: SnoozeOptions,
  environment: Environment,
): Promise<void> {
  const { out, home, cwd } = environment;
  const from = environment.now();
  const parsed = parseUntil(words, from);
  if (!parsed.ok)
    throw new CliError(`"${visible(words.join(" "))}" ${parsed.problem}`, {
      exitCode: EXIT.usage,
      advice: "See checkpoint snooze --help for examples.",
    });
  await personOnly(environment, options);
  const { until } = parsed;
  const snooze = await withStore(home, async (store): Promise<Snooze> => {
    const scope = await snoozeScope(store, environment, options);
    const made = { scope, from, until, reason: options.reason ?? null, madeBy: userName(), madeIn: cwd };
    await store.snoozes.set(scope, made, from);
    return made;
  });
  out(options.json === true ? toJson(snooze) : describe(snooze));
}

function describe({ scope, from, until }: Snooze): string {
  const session = scope.kind === "session" ? ` --session ${visible(scope.sessionId)}` : "";
  return [
    `Snoozed until ${formatUntil(until, from)}: stops ${describeScope(scope)} pass without a checkpoint.\n`,
    `End it sooner: checkpoint snooze --off${session}\n`,
  ].join("");
}

/** Ends the snooze of a scope. */
export async function endSnooze(options: SnoozeOptions, environment: Environment): Promise<void> {
  const { out, home, now } = environment;
  await personOnly(environment, options);
  const { scope, ended } = await withStore(home, async (store) => {
    const meant = await snoozeScope(store, environment, options);
    return { scope: meant, ended: await store.snoozes.set(meant, null, now()) };
  });
  if (options.json === true) return out(toJson({ scope, ended }));
  const where = describeScope(scope);
  return out(ended === 0 ? `Stops ${where} were not snoozed.\n` : `Stops ${where} are judged again.\n`);
}

/** Shows the snoozes: all, or those of the chosen scope. */
export async function showSnoozes(
  options: SnoozeOptions,
  environment: Environment,
  where: "here" | "everywhere",
): Promise<void> {
  const { out, home } = environment;
  const now = environment.now();
  const snoozes = await withStore(home, async (store) => {
    const all = await store.snoozes.list(now);
    if (where === "everywhere") return all;
    const scope = await snoozeScope(store, environment, options);
    return all.filter((snooze) => isSameScope(snooze.scope, scope));
  });
  out(options.json === true ? toJson({ snoozes }) : render(snoozes, now, where));
}

function render(snoozes: readonly Snooze[], now: Date, where: "here" | "everywhere"): string {
  if (snoozes.length === 0) return where === "here" ? "Nothing is snoozed here.\n" : "Nothing is snoozed.\n";
  return renderTable(
    [{ heading: "UNTIL" }, { heading: "STOPS" }, { heading: "BY" }, { heading: "REASON" }],
    snoozes.map(({ scope, until, madeBy, reason }) => [
      formatUntil(until, now),
      describeScope(scope),
      visible(madeBy),
      visible(reason ?? ""),
    ]),
  );
}

/** The scope of a snooze: the named session, otherwise the current repository. */
export async function snoozeScope(
  store: Store,
  environment: Pick<Environment, "env" | "cwd">,
  choice: SessionChoice,
): Promise<SnoozeScope> {
  if (choice.session === undefined) return { kind: "project", projectPath: repositoryOf(environment.cwd) };
  const { agent, sessionId } = await findSession(store, environment, choice);
  return { kind: "session", agent, sessionId };
}

/** A scope in words. */
export function describeScope(scope: SnoozeScope): string {
  return scope.kind === "project"
    ? `in ${visible(scope.projectPath)}`
    : `of ${scope.agent} session ${visible(scope.sessionId)}`;
}

export function isSameScope(one: SnoozeScope, other: SnoozeScope): boolean {
  if (one.kind === "project") return other.kind === "project" && one.projectPath === other.projectPath;
  return other.kind === "session" && one.agent === other.agent && one.sessionId === other.sessionId;
}

export interface SnoozeOptions extends SessionChoice {
  readonly reason?: string;
  readonly off?: true;
  readonly force?: true;
  readonly json?: true;
}

/** The name of the current user, or the number if there is none. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
