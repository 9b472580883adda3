import type { ToolKind } from "../../types.ts";

/** What each of Gemini CLI's own tools does; a call with an `agentId` is `agent`, the rest is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    run_shell_command: "shell",
    read_file: "read",
    read_many_files: "read",
    replace: "edit",
    write_file: "write",
    glob: "search",
    grep_search: "search",
    list_directory: "search",
    search_file_content: "search",
    codebase_investigator: "agent",
    delegate_to_agent: "agent",
    invoke_agent: "agent",
  }),
);

/** The arguments that name files, one or a list, for the kinds that have them. */
export const FILE_ARGUMENTS: readonly string[] = ["file_path", "absolute_path", "path", "dir_path", "paths", "include"];
