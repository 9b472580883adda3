import { existsSync } from "node:fs";
import { findProject, listMoved } from "@agent-checkpoint/composer";
import type { Store, StoredStop } from "@agent-checkpoint/store";
import type { Environment } from "../environment.ts";
import type { ReportFacts, StopSnapshots } from "./stop-report.ts";

/** The block that let a stop pass; null if it passed for another reason, or the block is unknown. */
export async function findBlock(store: Store, stop: StoredStop): Promise<StoredStop | null> {
  if (stop.reason !== "already-blocked" && stop.reason !== "asked-before") return null;
  const stops = await store.stops.list({ agent: stop.agent, sessionId: stop.sessionId });
  return stops.find(({ decision, at }) => decision === "block" && at <= stop.at) ?? null;
}

/** What the record holds about a stop: its outcomes, the rules that were moved, the snapshots beside it. */
export async function lookAround(
  store: Store,
  stop: StoredStop,
  place: Pick<Environment, "home" | "userHome">,
): Promise<Pick<ReportFacts, "home" | "outcomes" | "moved" | "snapshots">> {
  const { home } = place;
  const project = stop.projectPath === null ? null : await findProject(stop.projectPath, home);
  return {
    home,
    outcomes: await store.outcomes.list({ stopId: stop.id }),
    moved: project === null ? [] : await listMoved(store, project.repository, project.rules),
    snapshots: await findSnapshots(stop, place),
  };
}

/** The snapshots beside a stop and before its turn; null where none was taken, or its folder is gone. */
async function findSnapshots(
  { at, sessionId, projectPath, trail }: StoredStop,
  { home, userHome }: Pick<Environment, "home" | "userHome">,
): Promise<StopSnapshots | null> {
  if (projectPath === null || !existsSync(projectPath)) return null;
  const { listCheckpoints } = await import("@agent-checkpoint/snapshots");
  const listed = await listCheckpoints({ cwd: projectPath, home, userHome });
  if (listed.status !== "listed") return null;
  const ofStops = listed.checkpoints.filter(({ reason }) => reason?.startsWith("stop of turn ") === true);
  const beside = ofStops.find(
    ({ createdAt, reason }) => createdAt === at.toISOString() && reason?.endsWith(` of session ${sessionId}`) === true,
  );
  const began = trail?.promptAt?.toISOString();
  const before = ofStops.find(({ createdAt }) => began !== undefined && createdAt !== null && createdAt < began);
  if (beside === undefined && before === undefined) return null;
  return { atStop: beside?.id ?? null, beforeTurn: before?.id ?? null };
}
