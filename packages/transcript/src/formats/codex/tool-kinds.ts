import type { ToolKind } from "../../types.ts";

/** What each of Codex's own tools does; `apply_patch` is told by its patch, the rest is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    shell: "shell",
    "container.exec": "shell",
    shell_command: "shell",
    exec_command: "shell",
    local_shell_call: "shell",
    read_file: "read",
    view_image: "read",
    grep_files: "search",
    list_dir: "search",
    spawn_agent: "agent",
  }),
);

/** The arguments that name a file, for the kinds that have one. */
export const FILE_ARGUMENTS: readonly string[] = ["file_path", "path", "dir_path"];
