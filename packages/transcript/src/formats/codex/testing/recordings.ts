import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../../fixtures/codex", import.meta.url));

/** The names of all recordings of Codex. */
export const RECORDINGS: readonly string[] = globSync("*.jsonl", { cwd: FOLDER })
  .map((file) => basename(file, ".jsonl"))
  .toSorted();

/** The bytes of a recording, by its name or by its path below the recordings. */
export const readRecording = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.jsonl`));

/** The rollout of a sub-agent, which begins with a copy of its parent's. */
export const SUB_AGENT =
  "sub-agent/sessions/2026/11/16/rollout-2026-11-16T03-14-01-29447fab-0000-7000-8000-00000000000e";
