import { CheckpointError } from "@agent-checkpoint/handoff";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { readHeadSync } from "@agent-checkpoint/git";
import { describeKey } from "../names/describe-key.ts";
import type { CheckpointKey } from "../names/file-name.ts";
import type { Project } from "../project.ts";
import { changeStored } from "./change-stored.ts";
import { loadStored } from "./load-stored.ts";

/** Notes that somebody knows of HEAD's move, so that loading no longer warns of it; the gate stays as it is. */
export function acceptHead(project: Project, key: CheckpointKey): UnifiedCheckpoint {
  const nothing = new CheckpointError("no-checkpoint", `there is no checkpoint of ${describeKey(key)}`);
  if (loadStored(project, key) === null) throw nothing;
  return changeStored(project, key, (stored) => {
    if (stored === null) throw nothing;
    return { ...stored, base_commit: readHeadSync(project.root) };
  });
}
