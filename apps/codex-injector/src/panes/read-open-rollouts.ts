import { readdir, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { isSubAgentRollout } from "./is-sub-agent-rollout.ts";

/** Lists the rollouts of user threads that processes hold open; those of their sub-agents are left out. */
export async function readOpenRollouts(pids: readonly number[], folder = "/proc"): Promise<readonly string[]> {
  const open = await Promise.all(pids.map((pid) => openFiles(`${folder}/${pid}/fd`)));
  const rollouts = [...new Set(open.flat())].filter((path) => ROLLOUT.test(basename(path)));
  const isSubAgent = await Promise.all(rollouts.map(isSubAgentRollout));
  return rollouts.filter((_, index) => !isSubAgent[index]);
}

const ROLLOUT = /^rollout-.*\.jsonl$/;

/** A process that has ended, or is another user's, has none. */
async function openFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
}
