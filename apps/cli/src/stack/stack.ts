import type { LanguageName } from "@agent-checkpoint/categories";

/** What a repository really has: its projects, and what some of its files ask for. */
export interface Stack {
  /** Whether it is TeleClaude, which has a preset of its own. */
  readonly isTeleClaude: boolean;
  readonly projects: readonly PlacedProject[];
  /** Targets at the root that run tests, whatever the language: `make test`. */
  readonly testTargets: readonly StackCommand[];
  readonly chores: readonly Chore[];
  /** What the steps of its CI run, as words. */
  readonly ciCommands: readonly CiCommand[];
}

/** A command of the repository, with the commands that count as having run it. */
export interface StackCommand {
  readonly run: string;
  readonly evidence: readonly string[];
  /** The file, and the key in it, that shows the command. */
  readonly where: string;
}

/** A project in one language. */
export interface Project {
  readonly language: LanguageName;
  /** What else is known of it: `pnpm, 3 packages`. */
  readonly detail: string | null;
  readonly where: string;
  /** The ways to run its tests, the plainest first; none where it has no tests. */
  readonly tests: readonly StackCommand[];
  /** How its dependencies are brought up to date. */
  readonly install: StackCommand | null;
  /** Folders that belong to it, such as the packages of a workspace. */
  readonly members: readonly string[];
}

/** A project with its folder; `.` is the root. */
export interface PlacedProject extends Project {
  readonly folder: string;
}

/** Something that a kind of file asks for when it changes: migrations to be run, code to be generated. */
export interface Chore {
  /** The tool: `prisma`. */
  readonly tool: string;
  readonly kind: "generate" | "migrate" | "compose";
  /** The words for the files in the middle of a sentence, with whether they take `were`. */
  readonly label: string;
  readonly plural: boolean;
  readonly include: readonly string[];
  readonly command: StackCommand;
}

/** A command of a CI step. */
export interface CiCommand {
  readonly argv: readonly string[];
  readonly where: string;
}
