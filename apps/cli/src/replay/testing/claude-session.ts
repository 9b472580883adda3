import { writeFileSync } from "node:fs";

/** One step of a session that a test writes. */
export type Step =
  | { readonly prompt: string }
  | {
      readonly tool: string;
      readonly input: object;
      readonly result?: string;
      readonly isError?: boolean;
      /** What Claude Code writes of the result beside its text. */
      readonly details?: object;
    }
  | { readonly says: string }
  | { readonly interrupted: true };

/** How a session is written. */
export interface SessionOptions {
  readonly cwd?: string;
  readonly sessionId?: string;
  /** When it began. */
  readonly start?: Date;
  /** How long each step took. */
  readonly secondsPerStep?: number;
}

/** Writes a session as Claude Code does, in the parts that matter here. */
export function writeClaudeSession(path: string, steps: readonly Step[], options: SessionOptions = {}): void {
  writeFileSync(path, claudeSession(steps, options));
}

/** The lines of a session as Claude Code writes them. */
export function claudeSession(
  steps: readonly Step[],
  {
    cwd = "/home/dev/project",
    sessionId = "session-1",
    start = new Date("2026-11-02T10:00:00Z"),
    secondsPerStep = 60,
  }: SessionOptions = {},
): string {
  let at = start.getTime();
  const line = (type: "user" | "assistant", content: unknown, toolUseResult?: object): string => {
    at += secondsPerStep * 1000;
    const message = { role: type, content };
    return `${JSON.stringify({ type, sessionId, cwd, isSidechain: false, timestamp: new Date(at).toISOString(), message, toolUseResult })}\n`;
  };
  return steps
    .map((step, index) => {
      if ("prompt" in step) return line("user", step.prompt);
      if ("says" in step) return line("assistant", [{ type: "text", text: step.says }]);
      if ("interrupted" in step) return line("user", [{ type: "text", text: "[Request interrupted by user]" }]);
      const id = `toolu_${index}`;
      const { tool: name, input, result = "", isError = false, details } = step;
      return [
        line("assistant", [{ type: "tool_use", id, name, input }]),
        line("user", [{ type: "tool_result", tool_use_id: id, content: result, is_error: isError }], details),
      ].join("");
    })
    .join("");
}

/** A file that the agent read. */
export function read(file: string): Step {
  return { tool: "Read", input: { file_path: `/home/dev/project/${file}` } };
}

/** A file that the agent wrote. */
export function write(file: string): Step {
  return { tool: "Write", input: { file_path: `/home/dev/project/${file}`, content: "x" } };
}

/** A command that the agent ran. */
export function bash(command: string, { fails = false }: { readonly fails?: boolean } = {}): Step {
  return { tool: "Bash", input: { command }, result: fails ? "Exit code 1" : "ok", isError: fails };
}
