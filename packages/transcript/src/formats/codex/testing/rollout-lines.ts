/** Thread and turn ids that begin with their time, as Codex makes them. */
export const idAt = (second: number): string =>
  `${(second * 1000)
    .toString(16)
    .padStart(12, "0")
    .replace(/(.{8})/, "$1-")}-7000-8000-000000000000`;

/** A line as Codex writes it. */
export const line = (second: number, type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: at(second).toISOString(), type, payload })}\n`;

/** A moment by its second. */
export const at = (second: number): Date => new Date(second * 1000);

export const meta = (second: number, payload: object = {}): string =>
  line(second, "session_meta", {
    id: idAt(second),
    timestamp: at(second).toISOString(),
    cwd: "/project",
    source: "cli",
    cli_version: "0.166.0",
    ...payload,
  });

export const started = (second: number, turnId: string = idAt(second)): string =>
  line(second, "event_msg", { type: "task_started", turn_id: turnId });

export const said = (second: number, text: string, turnId?: string): string =>
  line(second, "event_msg", {
    type: "item_completed",
    turn_id: turnId,
    item: { type: "UserMessage", content: [{ text }] },
  });

export const finished = (second: number, turnId: string): string =>
  line(second, "event_msg", { type: "task_complete", turn_id: turnId, last_agent_message: "Done." });

/** A whole turn of three lines. */
export const turn = (second: number, text: string): string =>
  started(second) + said(second, text, idAt(second)) + finished(second + 1, idAt(second));
