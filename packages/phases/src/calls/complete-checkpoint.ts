import { CheckpointError } from "@agent-checkpoint/handoff";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { describeKey } from "../names/describe-key.ts";
import type { CheckpointKey } from "../names/file-name.ts";
import type { Project } from "../project.ts";
import { completeRun } from "../steps/complete-run.ts";
import { changeStored } from "./change-stored.ts";
import { loadStored } from "./load-stored.ts";

/** Notes that a command is done. */
export function completeCheckpoint(project: Project, key: CheckpointKey): UnifiedCheckpoint {
  const nothing = new CheckpointError("no-checkpoint", `there is no checkpoint of ${describeKey(key)} to complete`);
  // Without a look first, a command that was never begun would leave a folder behind.
  if (loadStored(project, key) === null) throw nothing;
  return changeStored(project, key, (stored) => {
    if (stored === null) throw nothing;
    return completeRun(stored, project.now);
  });
}
