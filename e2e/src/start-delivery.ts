import { fileURLToPath } from "node:url";
import type { CodexStage } from "./codex-stage.ts";
import { INSIDE } from "./sandbox.ts";

/** A running delivery by tmux, and its reports so far. */
export interface RunningDelivery {
  readonly ended: Promise<unknown>;
  /** The reasons for waiting so far, and in the end the result. */
  readonly said: () => Promise<readonly string[]>;
}

const PROGRAM = fileURLToPath(new URL("deliver-on-stage.ts", import.meta.url));

/** Delivers a message to the stage's first thread, and keeps trying for some time, whatever happens there. */
export function startDelivery(
  stage: CodexStage,
  { message, milliseconds }: { readonly message: string; readonly milliseconds: number },
): RunningDelivery {
  const { id, path } = stage.threads()[0] ?? { id: "", path: "" };
  const rolloutPath = `${INSIDE.home}/${path.slice(path.indexOf(".codex/"))}`;
  const thread = JSON.stringify({ id, cwd: INSIDE.project, rolloutPath });
  const command = [process.execPath, PROGRAM, thread, message, String(milliseconds)];
  return {
    ended: stage.run(["sh", "-c", '"$@" > ~/delivery.log', "sh", ...command]),
    said: async () => (await stage.run(["sh", "-c", "cat ~/delivery.log"])).stdout.split("\n").slice(0, -1),
  };
}
