import { Argument, type Command, Option } from "commander";

/** What may be typed after a command or an option. */
export type Values =
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  | { readonly kind: "files" }
  /** Something that only the person knows. */
  | { readonly kind: "free" }
  | { readonly kind: "none" };

/** An option with its spellings. */
export interface CompletionOption {
  readonly flags: readonly string[];
  readonly description: string;
  readonly value: Values;
}

/** A command as a shell has to know it. */
export interface CompletionNode {
  /** The words that lead to it: `["checkpoint", "snooze"]`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly CompletionOption[];
  readonly argument: Values;
  readonly children: readonly CompletionNode[];
}

/** Reads from a program what a shell can complete: what its help shows. */
export function completionTree(command: Command, above: readonly string[] = []): CompletionNode {
  const help = command.createHelp();
  const path = [...above, command.name()];
  return {
    path,
    description: help.subcommandDescription(command),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag != null),
      description: option.description,
      value: valuesOf(option),
    })),
    argument: command.registeredArguments.map(valuesOf).find(isHelpful) ?? { kind: "none" },
    children: help
      .visibleCommands(command)
      .filter((child) => child.name() !== "help")
      .map((child) => completionTree(child, path)),
  };
}

/** Every command of a tree, from the outside in. */
export function allNodes(node: CompletionNode): readonly CompletionNode[] {
  return [node, ...node.children.flatMap(allNodes)];
}

/** Words in the name of a value that say it is a path. */
const PATHS = /file|folder|path|transcript/i;

function valuesOf(given: Option | Argument): Values {
  if (given instanceof Option && !given.required && !given.optional) return { kind: "none" };
  if (given.argChoices !== undefined) return { kind: "choices", choices: given.argChoices };
  const name = given instanceof Argument ? given.name() : given.flags;
  return { kind: PATHS.test(name) ? "files" : "free" };
}

function isHelpful({ kind }: Values): boolean {
  return kind === "choices" || kind === "files";
}
