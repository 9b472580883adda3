import type { MakeCommand } from "../command-context.ts";
import { completion } from "./completion.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { learn } from "./learn.ts";
import { phase } from "./phase.ts";
import { preview } from "./preview.ts";
import { proof } from "./proof.ts";
import { replay } from "./replay.ts";
import { save } from "./save.ts";
import { slug } from "./slug.ts";
import { snapshot } from "./snapshot.ts";
import { snooze } from "./snooze.ts";
import { stats } from "./stats.ts";
import { statusline } from "./statusline.ts";
import { uninstall } from "./uninstall.ts";
import { why } from "./why.ts";

/** The commands in the order that the help lists them. */
export const COMMANDS: readonly MakeCommand[] = [
  init,
  doctor,
  config,
  preview,
  why,
  replay,
  learn,
  stats,
  slug,
  snooze,
  proof,
  phase,
  save,
  snapshot,
  statusline,
  uninstall,
  completion,
];

/** The heading under which the help lists itself. */
export const HELP_GROUP = "Shell:";

/** The headings of the help in their order, and the commands under each. */
export const COMMAND_GROUPS: readonly { readonly heading: string; readonly names: readonly string[] }[] = [
  { heading: "Set up:", names: ["init", "uninstall", "doctor", "config"] },
  { heading: "Understand:", names: ["preview", "why", "stats", "replay", "learn"] },
  { heading: "Steer:", names: ["slug", "snooze", "proof", "phase"] },
  { heading: "Protect:", names: ["save", "statusline", "snapshot"] },
  { heading: HELP_GROUP, names: ["completion"] },
];

/** The heading of a command; the last one if the table does not list it. */
export function headingOf(command: string): string {
  return COMMAND_GROUPS.find(({ names }) => names.includes(command))?.heading ?? HELP_GROUP;
}
