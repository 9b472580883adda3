import type { DefineCommand } from "../command-context.ts";

/** What the help says about a command; the rest is loaded when it is called. */
export interface CommandRow {
  /** Its name and its arguments. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<DefineCommand>;
}

/** The commands under their headings, in the order of the help. */
export const COMMAND_GROUPS: readonly { readonly heading: string; readonly commands: readonly CommandRow[] }[] = [
  {
    heading: "Set up:",
    commands: [
      {
        usage: "init",
        summary: "Set everything up: register the hooks, write a config for this repository",
        load: async () => (await import("./init.ts")).init,
      },
      {
        usage: "doctor",
        summary: "Prove that the hooks fire, or explain how to fix them",
        load: async () => (await import("./doctor.ts")).doctor,
      },
      {
        usage: "config",
        summary: "Check and show the rules that apply here",
        load: async () => (await import("./config.ts")).config,
      },
      {
        usage: "uninstall",
        summary: "Remove the hooks from the agents' settings",
        load: async () => (await import("./uninstall.ts")).uninstall,
      },
    ],
  },
  {
    heading: "Understand:",
    commands: [
      {
        usage: "preview",
        summary: "Show the message that a stop would give right now",
        load: async () => (await import("./preview.ts")).preview,
      },
      {
        usage: "why [stop]",
        summary: "Explain why a stop was blocked or passed",
        load: async () => (await import("./why.ts")).why,
      },
      {
        usage: "replay [paths...]",
        summary: "Run the rules over past sessions: how many stops would have been blocked, and by which rule",
        load: async () => (await import("./replay.ts")).replay,
      },
      {
        usage: "learn [paths...]",
        summary: "Which commands tested this repository in past sessions",
        load: async () => (await import("./learn.ts")).learn,
      },
      {
        usage: "stats",
        summary: "Count what was blocked, and what agents then did",
        load: async () => (await import("./stats.ts")).stats,
      },
      {
        usage: "dashboard",
        summary: "Open a page that shows whether it helps, and every stop in full",
        load: async () => (await import("./dashboard.ts")).dashboard,
      },
      {
        usage: "rules",
        summary: "Show how loud each rule is and its outcomes, and change it",
        load: async () => (await import("./rules.ts")).rules,
      },
      {
        usage: "attest [range]",
        summary: "Say of commits which stops touched their files, and what had been verified",
        load: async () => (await import("./attest.ts")).attest,
      },
      {
        usage: "verify-range <range>",
        summary: "Fail if a required rule has no evidence for a file that a range changes",
        load: async () => (await import("./attest.ts")).verifyRange,
      },
      {
        usage: "export",
        summary: "Send stops and outcomes to an OpenTelemetry collector",
        load: async () => (await import("./export.ts")).exportRows,
      },
    ],
  },
  {
    heading: "Steer:",
    commands: [
      {
        usage: "slug [name]",
        summary: "Show or set the session's working slug",
        load: async () => (await import("./slug.ts")).slug,
      },
      {
        usage: "snooze [for...]",
        summary: "Let stops pass for a while",
        load: async () => (await import("./snooze.ts")).snooze,
      },
      {
        usage: "proof <command...>",
        summary: "Run your tests, and let them count",
        load: async () => (await import("./proof.ts")).proof,
      },
      {
        usage: "phase",
        summary: "Track and resume long-running commands",
        load: async () => (await import("./phase.ts")).phase,
      },
    ],
  },
  {
    heading: "Protect:",
    commands: [
      {
        usage: "save",
        summary: "Save a session's work: a snapshot, then a commit of its own files",
        load: async () => (await import("./save.ts")).save,
      },
      {
        usage: "snapshot",
        summary: "Take a snapshot of files before a risky step, and restore it",
        load: async () => (await import("./snapshot.ts")).snapshot,
      },
      {
        usage: "statusline",
        summary: "Report Claude Code's context usage to the hook, as its status line",
        load: async () => (await import("./statusline.ts")).statusline,
      },
    ],
  },
  {
    heading: "Share:",
    commands: [
      {
        usage: "team",
        summary: "Join a team that keeps one record for many machines, or run its service",
        load: async () => (await import("./team.ts")).team,
      },
      {
        usage: "sync",
        summary: "Send this machine's record to its team",
        load: async () => (await import("./sync.ts")).sync,
      },
    ],
  },
  {
    heading: "Shell:",
    commands: [
      {
        usage: "completion <shell> [words...]",
        summary: "Print the completion script for your shell",
        load: async () => (await import("./completion.ts")).completion,
      },
    ],
  },
];

/** The heading under which the help lists itself. */
export const HELP_HEADING = "Shell:";
