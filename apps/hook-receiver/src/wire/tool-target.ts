import type { CallTarget } from "@agent-checkpoint/snapshots/gate";

/** The tools of an agent that change something, and where their input says what; every other one passes. */
export type ChangingTools = Readonly<Record<string, (input: ToolInput) => CallTarget | null>>;

export type ToolInput = Readonly<Record<string, unknown>>;

/** A tool that changes the file named by a key. */
export function changesFile(key: string): ChangingTools[string] {
  return (input) => {
    const file = input[key];
    return typeof file === "string" && file !== "" ? { kind: "files", files: [file] } : null;
  };
}

/** A tool that runs the command line under a key. */
export function runsCommand(key: string): ChangingTools[string] {
  return (input) => {
    const command = input[key];
    return typeof command === "string" && command.trim() !== "" ? { kind: "shell", command } : null;
  };
}

/** A tool that applies the patch under a key: its headings name the files. */
export function appliesPatch(key: string): ChangingTools[string] {
  return (input) => {
    const patch = input[key];
    if (typeof patch !== "string") return null;
    const files = [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm)];
    return files.length === 0 ? null : { kind: "files", files: files.map(([, file = ""]) => file) };
  };
}

/** What a call of a tool is about to change. */
export function targetOf(tools: ChangingTools, tool: string | null, input: unknown): CallTarget | null {
  if (tool === null || !Object.hasOwn(tools, tool) || typeof input !== "object" || input === null) return null;
  return tools[tool]?.(input as ToolInput) ?? null;
}
