import type { Store, StoredStop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { refused } from "../cli-error.ts";
import { memoize } from "../memoize.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { visible } from "../terminal/visible.ts";

/** The options that select a stop. */
export interface StopChoice {
  /** Its number. */
  readonly stop?: string | undefined;
  /** The id of its session, or a prefix. */
  readonly session?: string | undefined;
  readonly agent?: AgentName | undefined;
  /** Whether to take the last stop in any repository. */
  readonly all?: boolean | undefined;
}

/** The named stop, otherwise the last one in this repository. */
export async function findStop(store: Store, cwd: string, choice: StopChoice): Promise<StoredStop> {
  if (choice.stop !== undefined) return numberedStop(store, choice.stop);
  const repository = repositoryOf(cwd);
  // Many stops share a folder.
  const isHere = memoize((folder: string) => repositoryOf(folder) === repository);
  const found = (await store.stops.list({ agent: choice.agent })).find((stop) => {
    if (stop.isCanary) return false;
    if (choice.session !== undefined) return choice.session !== "" && stop.sessionId.startsWith(choice.session);
    return choice.all === true || (stop.projectPath !== null && isHere(stop.projectPath));
  });
  if (found !== undefined) return found;
  const where =
    choice.session !== undefined
      ? `of session ${visible(choice.session)}`
      : choice.all === true
        ? "anywhere"
        : `in ${visible(repository)}`;
  throw refused(
    `no stop${choice.agent === undefined ? "" : ` of ${choice.agent}`} is recorded ${where}`,
    "Run checkpoint doctor to check whether the hook fires, or add --all to search all repositories.",
  );
}

/** The block that let a stop pass; null if it passed for another reason, or the block is unknown. */
export async function findBlock(store: Store, stop: StoredStop): Promise<StoredStop | null> {
  if (stop.reason !== "already-blocked" && stop.reason !== "asked-before") return null;
  const stops = await store.stops.list({ agent: stop.agent, sessionId: stop.sessionId });
  return stops.find(({ decision, at }) => decision === "block" && at <= stop.at) ?? null;
}

async function numberedStop(store: Store, text: string): Promise<StoredStop> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const [stop] = id === null ? [] : await store.stops.list({ id });
  if (stop !== undefined) return stop;
  const [last] = await store.stops.list({ limit: 1 });
  throw refused(
    id === null ? `${visible(text)} is not the number of a stop` : `there is no stop ${id}`,
    last === undefined ? "None is recorded yet." : `The last one recorded is ${last.id}.`,
  );
}
