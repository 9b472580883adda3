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
