import type { CompactionEvent } from "@agent-checkpoint/agents/wire";
import { SAVE_DEFAULTS } from "@agent-checkpoint/categories";
import { findProject, gatherStopFacts, type Outcome, weighStop } from "@agent-checkpoint/composer";
import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";
import { readUsage } from "@agent-checkpoint/autosave/threshold";
import { type HookPlace, type StopCall, withStore } from "./handle-stop.ts";
import { userHome } from "./autosave-at-stop.ts";
import { runSaveWorker } from "./run-save-worker.ts";

/** An agent may report one compaction several times. */
const ONE_COMPACTION_MS = 60_000;

/** Before a compaction, work is saved at any threshold if nobody has to be asked. The hook never answers. */
export async function handleCompaction(
  event: CompactionEvent,
  place: HookPlace,
  { env, payload }: StopCall,
): Promise<Outcome> {
  const { sessionId, projectPath, transcriptPath } = event;
  const { agent, home, now } = place;
  const { rules: loaded } = await findProject(projectPath, home);
  const rules = (loaded.ok ? loaded.rules.save : undefined) ?? SAVE_DEFAULTS;
  const isMeant = isAutonomous({ env, userHome: userHome(env), mode: rules.mode }) && place.isCanary !== true;
  if (sessionId === null || !isMeant) return { problem: null };
  return withStore(place, async (store) => {
    const [session = null] = await store.sessions.list({ agent, sessionId });
    const mark = session?.contextMark ?? null;
    // A save at a stop leaves the mark unarmed; what was done since is saved again.
    const isSame = mark?.isArmed === true && Math.abs(now.getTime() - mark.at.getTime()) < ONE_COMPACTION_MS;
    if (isSame) return { problem: null };
    // Told before the work, so that the same compaction is not answered twice.
    await store.sessions.update(agent, sessionId, { contextMark: { at: now, isArmed: true, hasFailed: false } });
    const { result } = (await weighStop(await gatherStopFacts(event, place, store))).content.checkpoint;
    const { contextWindow } = rules;
    const { percent } = readUsage({ agent, sessionId, transcriptPath, payload, home, now, contextWindow, env });
    await runSaveWorker(
      {
        agent,
        sessionId,
        projectPath,
        transcriptPath,
        trigger: "compaction",
        percent,
        rules,
        openActions: result?.requiredActions ?? [],
        failures: result?.findings.filter(({ isFailure }) => isFailure).map(({ text }) => text) ?? [],
        baseline: session?.baseline ?? null,
        home,
        userHome: userHome(env),
        snapshotDays: loaded.ok ? loaded.rules.safety?.keepDays : undefined,
      },
      env,
    );
    return { problem: null };
  });
}
