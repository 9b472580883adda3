import { spawnSync } from "node:child_process";

/** Whether tmux is on this machine; what needs it is passed over where it is not. */
export const HAS_TMUX: boolean = spawnSync("tmux", ["-V"]).status === 0;
