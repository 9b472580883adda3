/** The names of the commands that run in phases, in the usual order for a feature. */
export const COMMAND_NAMES = ["start", "design", "reconcile", "research", "implement", "ship", "review"] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

/** The usual phases of a command. */
export interface CommandPlan {
  readonly name: CommandName;
  /** What the command is for. */
  readonly purpose: string;
  /** The phases it usually has, in order; a run may have others. */
  readonly phases: readonly string[];
  /** Whether it has a gate. */
  readonly hasGate: boolean;
}

/** The commands, each with its phases. */
export const COMMANDS: readonly CommandPlan[] = [
  { name: "start", purpose: "begin a piece of work", phases: ["branch", "issue"], hasGate: false },
  {
    name: "design",
    purpose: "write down what is to be built",
    phases: ["research", "plan", "specify"],
    hasGate: false,
  },
  { name: "reconcile", purpose: "bring the plan and the code together", phases: ["compare", "apply"], hasGate: false },
  { name: "research", purpose: "find out how something works", phases: ["discover", "synthesize"], hasGate: false },
  { name: "implement", purpose: "build it", phases: ["prepare", "build", "validate"], hasGate: false },
  { name: "ship", purpose: "hand it over", phases: ["preflight", "commit", "push"], hasGate: true },
  { name: "review", purpose: "look at work that is there", phases: ["analyze", "report"], hasGate: false },
];

/** The phases that a command usually has. */
export function usualPhases(command: CommandName): readonly string[] {
  return COMMANDS.find(({ name }) => name === command)?.phases ?? [];
}
