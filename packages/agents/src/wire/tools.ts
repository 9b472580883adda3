import type { ToolEvent, ToolTarget } from "./wire.ts";

/** The tools of an agent that change something, and the field of their input that says what; all others pass. */
export type ChangingTools = Readonly<Record<string, (input: ToolInput) => ToolTarget | null>>;

type ToolInput = Readonly<Record<string, unknown>>;

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

/** More files than a patch that is read by a person. */
const MAX_FILES = 1000;

/** A tool that applies the patch under a key: its headings name the files. With too many it is as good as a command. */
export function appliesPatch(key: string): ChangingTools[string] {
  return (input) => {
    const patch = input[key];
    if (typeof patch !== "string") return null;
    const files: string[] = [];
    for (const [, file = ""] of patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)) {
      if (files.length === MAX_FILES) return { kind: "shell", command: "apply_patch" };
      files.push(file.trimEnd());
    }
    return files.length === 0 ? null : { kind: "files", files };
  };
}

/** The event of a tool that is about to run in a session, from the fields that agents have for it. */
export function toolEvent(
  tools: ChangingTools,
  { sessionId, projectPath }: Pick<ToolEvent, "sessionId" | "projectPath">,
  fields: {
    readonly tool_name: string | null;
    readonly tool_input: { readonly value: unknown };
    readonly cwd: string | null;
  },
): ToolEvent {
  const { tool_name: tool, tool_input: input, cwd } = fields;
  return {
    type: "tool",
    tool: tool ?? "",
    target: targetOf(tools, tool, input.value),
    sessionId,
    projectPath,
    cwd: cwd || projectPath,
  };
}

function targetOf(tools: ChangingTools, tool: string | null, input: unknown): ToolTarget | null {
  if (tool === null || !Object.hasOwn(tools, tool) || typeof input !== "object" || input === null) return null;
  return tools[tool]?.(input as ToolInput) ?? null;
}
