import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A session of Claude Code that works on files and writes its transcript. */
export interface AgentSession {
  readonly transcriptPath: string;
  readonly sessionId: string;
  /** Writes a whole file. */
  readonly write: (path: string, text: string) => void;
  /** Replaces a part of a file. */
  readonly edit: (path: string, old: string, now: string) => void;
  /** Says that it ran a command; what the command does is done by the caller. */
  readonly ran: (command: string, act: () => void) => void;
}

/** Starts a session in a project; its transcript lies in another folder. */
export function agentSession(project: string, folder: string, sessionId = "session-1"): AgentSession {
  mkdirSync(folder, { recursive: true });
  const transcriptPath = join(folder, `${sessionId}.jsonl`);
  let calls = 0;
  const line = (value: object) =>
    appendFileSync(
      transcriptPath,
      `${JSON.stringify({ sessionId, cwd: project, timestamp: new Date().toISOString(), ...value })}\n`,
    );
  line({ type: "user", promptId: "p-1", uuid: "u-1", message: { role: "user", content: "Do the work" } });
  const call = (name: string, input: object, act: () => void) => {
    calls += 1;
    const id = `toolu_${sessionId}_${calls}`;
    const content = [{ type: "tool_use", id, name, input }];
    line({
      type: "assistant",
      message: { id: `msg_${calls}`, role: "assistant", model: "claude-sonnet-4-5", content },
    });
    act();
    const result = [
      { type: "tool_result", tool_use_id: id, content: "ok", ...(name === "Bash" && { is_error: false }) },
    ];
    line({ type: "user", promptId: "p-1", message: { role: "user", content: result }, toolUseResult: { stdout: "" } });
  };
  const at = (path: string) => join(project, path);
  return {
    transcriptPath,
    sessionId,
    write: (path, content) =>
      call("Write", { file_path: at(path), content }, () => {
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), content);
      }),
    edit: (path, old_string, new_string) =>
      call("Edit", { file_path: at(path), old_string, new_string, replace_all: false }, () =>
        writeFileSync(at(path), readFileSync(at(path), "utf8").split(old_string).join(new_string)),
      ),
    ran: (command, act) => call("Bash", { command }, act),
  };
}
