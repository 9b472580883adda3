import type { SnoozeScope, Store } from "@agent-checkpoint/store";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import type { Surroundings } from "../surroundings.ts";
import { visible } from "../terminal/visible.ts";

/** Whose stops are meant: those of the session that was named, else those in the repository that a person is in. */
export async function snoozeScope(
  store: Store,
  surroundings: Pick<Surroundings, "env" | "cwd">,
  choice: SessionChoice,
): Promise<SnoozeScope> {
  if (choice.session === undefined) return { kind: "project", projectPath: repositoryOf(surroundings.cwd) };
  const { agent, sessionId } = await findSession(store, surroundings, choice);
  return { kind: "session", agent, sessionId };
}

/** A scope in words. */
export function describeScope(scope: SnoozeScope): string {
  return scope.kind === "project"
    ? `in ${visible(scope.projectPath)}`
    : `of ${scope.agent} session ${visible(scope.sessionId)}`;
}

/** Whether two scopes are the same. */
export function isSameScope(one: SnoozeScope, other: SnoozeScope): boolean {
  if (one.kind === "project") return other.kind === "project" && one.projectPath === other.projectPath;
  return other.kind === "session" && one.agent === other.agent && one.sessionId === other.sessionId;
}
