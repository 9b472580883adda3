import type { ToolKind } from "../../types.ts";

/** What each of Claude Code's own tools does; the rest, MCP tools among them, is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    Bash: "shell",
    PowerShell: "shell",
    Read: "read",
    NotebookRead: "read",
    Edit: "edit",
    MultiEdit: "edit",
    NotebookEdit: "edit",
    Write: "write",
    Grep: "search",
    Glob: "search",
    LS: "search",
    Agent: "agent",
    Task: "agent",
  }),
);

/** The arguments that name a file, for the kinds that have one. */
export const FILE_ARGUMENTS: readonly string[] = ["file_path", "notebook_path", "path"];
