import type { Check } from "../check.ts";
import { checkClock } from "./check-clock.ts";
import { checkConfig } from "./check-config.ts";
import { checkGit } from "./check-git.ts";
import { checkLog } from "./check-log.ts";
import { checkNode } from "./check-node.ts";
import { checkOutdated } from "./check-outdated.ts";
import { checkSnooze } from "./check-snooze.ts";
import { checkStore } from "./check-store.ts";
import type { Machine } from "./machine.ts";

/** What is looked at whatever the agent. */
export const MACHINE_CHECKS: readonly Check<Machine>[] = [
  { id: "node", title: "Node", run: checkNode },
  { id: "git", title: "git", run: checkGit },
  { id: "config", title: "config", run: checkConfig },
  { id: "config-fits", title: "config fits", run: checkOutdated },
  { id: "store", title: "store", run: checkStore },
  { id: "clock", title: "clock", run: checkClock },
  { id: "log", title: "log", run: checkLog },
  { id: "snooze", title: "snooze", run: checkSnooze },
];
