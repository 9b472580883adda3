import type { DeclaredCommand } from "../commands/declared-commands.ts";
import type { Tree } from "../files/tree.ts";

/** Files that ask for a command when they change: migrations to be run, code to be generated. */
export interface Chore {
  readonly kind: "migrate" | "generate";
  /** The tool: `prisma`. */
  readonly tool: string;
  /** The words for the files in the middle of a sentence. */
  readonly label: string;
  /** Globs of the files, from the root. */
  readonly include: readonly string[];
  readonly command: string;
  readonly folder: string;
  /** Words of commands that prove it. */
  readonly evidence: readonly string[];
  readonly source: string;
}

/** What a detector finds in a folder; paths are relative to it. */
export interface Found {
  readonly folder: string;
  readonly include: readonly string[];
  readonly command: string;
  /** The file that shows it, from the root. */
  readonly source: string;
}

/** A tool that asks for a command, and how it is found. */
export interface ChoreRow {
  readonly kind: Chore["kind"];
  readonly tool: string;
  readonly label: string;
  /** Words of commands that do the work; the first is the tool itself. */
  readonly words: readonly string[];
  readonly find: (tree: Tree, commands: readonly DeclaredCommand[]) => readonly Found[];
  /** Whether only a task of the repository can be asked for. */
  readonly onlyTask?: true;
}
