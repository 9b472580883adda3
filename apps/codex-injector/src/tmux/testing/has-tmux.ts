import { spawnSync } from "node:child_process";

/** Whether tmux is on this machine; tests that need it are skipped without it. */
export const HAS_TMUX: boolean = spawnSync("tmux", ["-V"]).status === 0;
