import { expect, test } from "vitest";
import { parseCall } from "./parse-call.ts";

const patch = (...headers: readonly string[]): string =>
  ["*** Begin Patch", ...headers.flatMap((header) => [`*** ${header}`, "+line"]), "*** End Patch"].join("\n");

const call = (name: string, args: object): object => ({
  type: "function_call",
  name,
  arguments: JSON.stringify(args),
  call_id: "call_1",
});

const applied = (input: string): object => ({
  type: "custom_tool_call",
  name: "apply_patch",
  input,
  call_id: "call_1",
});

const UPDATE = patch("Update File: src/a.ts");
const HEREDOC = `cd web && apply_patch <<'EOF'\n${patch("Add File: b.ts")}\nEOF`;

const cases = [
  {
    item: "exec_command",
    value: call("exec_command", { cmd: "npm test", workdir: "web" }),
    meaning: { kind: "shell", command: "npm test", cwd: "web" },
  },
  {
    item: "shell_command",
    value: call("shell_command", { command: "npm test" }),
    meaning: { kind: "shell", command: "npm test" },
  },
  {
    item: "shell with a script",
    value: call("shell", { command: ["bash", "-lc", "npm test | cat"] }),
    meaning: { kind: "shell", command: "npm test | cat" },
  },
  {
    item: "shell with a full path",
    value: call("shell", { command: ["/bin/zsh", "-c", "ls"] }),
    meaning: { kind: "shell", command: "ls" },
  },
  {
    item: "shell with arguments",
    value: call("shell", { command: ["git", "commit", "-m", "it's done"] }),
    meaning: { kind: "shell", command: "git commit -m 'it'\\''s done'" },
  },
  {
    item: "shell with a script and its name",
    value: call("shell", { command: ["bash", "-c", "ls", "name"] }),
    meaning: { kind: "shell", command: "bash -c ls name" },
  },
  {
    item: "shell with a script's file",
    value: call("shell", { command: ["bash", "-x", "a.sh"] }),
    meaning: { kind: "shell", command: "bash -x a.sh" },
  },
  {
    item: "a program with an option like a shell's",
    value: call("shell", { command: ["python", "-c", "print(1)"] }),
    meaning: { kind: "shell", command: "python -c 'print(1)'" },
  },
  {
    item: "local_shell_call",
    value: {
      type: "local_shell_call",
      call_id: "call_1",
      action: { type: "exec", command: ["bash", "-lc", "ls"], working_directory: "/p" },
    },
    meaning: { kind: "shell", command: "ls", cwd: "/p" },
  },
  { item: "a patch that updates", value: applied(UPDATE), meaning: { kind: "edit", files: ["src/a.ts"] } },
  {
    item: "a patch that only adds",
    value: applied(patch("Add File: a.ts", "Add File: b.ts")),
    meaning: { kind: "write", files: ["a.ts", "b.ts"] },
  },
  {
    item: "a patch that adds and deletes",
    value: applied(patch("Add File: a.ts", "Delete File: b.ts")),
    meaning: { kind: "edit", files: ["a.ts", "b.ts"] },
  },
  {
    item: "a patch that moves",
    value: applied(patch("Update File: a.ts", "Move to: b.ts")),
    meaning: { kind: "edit", files: ["a.ts", "b.ts"] },
  },
  {
    item: "a patch with Windows line ends",
    value: applied(UPDATE.replaceAll("\n", "\r\n")),
    meaning: { kind: "edit", files: ["src/a.ts"] },
  },
  {
    item: "apply_patch as a function",
    value: call("apply_patch", { input: UPDATE }),
    meaning: { kind: "edit", files: ["src/a.ts"] },
  },
  {
    item: "apply_patch as a program",
    value: call("shell", { command: ["apply_patch", UPDATE] }),
    meaning: { kind: "edit", files: ["src/a.ts"] },
  },
  {
    item: "apply_patch in a shell",
    value: call("exec_command", { cmd: HEREDOC }),
    meaning: { kind: "write", files: ["b.ts"] },
  },
  {
    item: "a command that only speaks of it",
    value: call("exec_command", { cmd: "rg apply_patch" }),
    meaning: { kind: "shell", command: "rg apply_patch" },
  },
  {
    item: "view_image",
    value: call("view_image", { path: "shot.png" }),
    meaning: { kind: "read", files: ["shot.png"] },
  },
  { item: "spawn_agent", value: call("spawn_agent", { message: "Look" }), meaning: { kind: "agent" } },
  { item: "update_plan", value: call("update_plan", { plan: [] }), meaning: { kind: "other" } },
  {
    item: "a web search without an id",
    value: { type: "web_search_call", status: "completed" },
    meaning: { kind: "other" },
    id: "",
  },
  {
    item: "a search for tools",
    value: { type: "tool_search_call", call_id: "call_1", arguments: { query: "x" } },
    meaning: { kind: "other", toolName: "tool_search_call", inputData: { query: "x" } },
  },
  {
    item: "a web search",
    value: { type: "web_search_call", id: "ws_1", action: { query: "x" } },
    meaning: { kind: "other", toolName: "web_search_call", inputData: { query: "x" } },
    id: "ws_1",
  },
  { item: "a patch that is none", value: applied("x"), meaning: { kind: "edit", files: [] } },
  {
    item: "apply_patch as a program without a patch",
    value: call("shell", { command: ["apply_patch"] }),
    meaning: { kind: "edit", command: null, files: [] },
  },
  {
    item: "container.exec",
    value: call("container.exec", { command: ["ls"] }),
    meaning: { kind: "shell", command: "ls" },
  },
  { item: "read_file", value: call("read_file", { file_path: "a.ts" }), meaning: { kind: "read", files: ["a.ts"] } },
  { item: "grep_files", value: call("grep_files", { path: "src" }), meaning: { kind: "search", files: ["src"] } },
  { item: "list_dir", value: call("list_dir", { dir_path: "src" }), meaning: { kind: "search", files: ["src"] } },
  {
    item: "a tool of somebody else",
    value: call("other_tool", { path: "src", cmd: "ls" }),
    meaning: { kind: "other" },
  },
  {
    item: "arguments that are no JSON",
    value: { type: "function_call", name: "exec_command", arguments: "{", call_id: "call_1" },
    meaning: { kind: "shell" },
  },
];

test.for(cases)("$item", ({ value, meaning, id = "call_1" }) => {
  expect(parseCall({ ...value })).toMatchObject({ id, command: null, cwd: null, files: [], ...meaning });
});

test.for(["message", "reasoning", "function_call_output"])("%s is no call", (type) => {
  expect(parseCall({ type, call_id: "call_1", role: "user", content: [] })).toBeNull();
});
