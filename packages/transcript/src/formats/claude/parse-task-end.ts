import { type JsonObject, numberAt, objectAt, textAt } from "../../read/json.ts";
import { lineText } from "./is-prompt.ts";

/** How a background task ended. */
export interface TaskEnd {
  /** The id of the task, or of the call that started it. */
  readonly of: string;
  readonly hadError: boolean;
  readonly exitCode: number | null;
  /** What it printed, where the line shows it. */
  readonly output?: string | undefined;
}

/**
 * The ends of background tasks that a line tells of.
 *
 * Claude Code says so in a `<task-notification>`, which is a `user` line, a queued attachment or a queue operation,
 * and in the result of `TaskOutput`.
 */
export const parseTaskEnds = (line: JsonObject): readonly TaskEnd[] => {
  const fromOutput = taskOutputEnd(line);
  if (fromOutput !== null) return [fromOutput];
  return [...elements(notificationText(line), "task-notification")].flatMap((content) => notificationEnds(content));
};

const notificationText = (line: JsonObject): string => {
  if (line["type"] === "user") return lineText(line);
  const attachment = objectAt(line, "attachment");
  return (attachment === null ? textAt(line, "content") : textAt(attachment, "prompt")) ?? "";
};

const notificationEnds = (notification: string): readonly TaskEnd[] => {
  const code = /(?:\(exit code (\d+)\)|with exit code (\d+))\.?$/.exec(element(notification, "summary") ?? "");
  const end = endOf(element(notification, "status"), code === null ? null : Number(code[1] ?? code[2]));
  if (end === null) return [];
  const ids = [element(notification, "tool-use-id"), element(notification, "task-id")];
  return ids.filter((id) => id !== null).map((of) => ({ of, ...end }));
};

const element = (text: string, name: string): string | null => elements(text, name).next().value ?? null;

/** The contents of the elements of a name, each up to the first end; a pattern would look for an end from every beginning. */
function* elements(text: string, name: string): Generator<string, undefined, undefined> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  let end = 0;
  for (;;) {
    const start = text.indexOf(open, end);
    end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return undefined;
    yield text.slice(start + open.length, end);
  }
}

/** `TaskOutput` tells of a task, `BashOutput` of 2.0 of a shell. */
const taskOutputEnd = (line: JsonObject): TaskEnd | null => {
  const result = objectAt(line, "toolUseResult") ?? {};
  const task = objectAt(result, "task") ?? result;
  const of = textAt(task, "task_id") ?? textAt(task, "shellId");
  const end = of === null ? null : endOf(textAt(task, "status"), numberAt(task, "exitCode"));
  if (of === null || end === null) return null;
  const shown = ["output", "stdout", "stderr"].map((key) => textAt(task, key)).filter((text) => text !== null);
  return { of, ...end, output: shown.length === 0 ? undefined : shown.join("\n") };
};

/** A task that is still running, or that somebody stopped, has neither failed nor succeeded. */
const endOf = (status: string | null, exitCode: number | null): Pick<TaskEnd, "hadError" | "exitCode"> | null => {
  if (status !== "completed" && status !== "failed") return null;
  return { hadError: exitCode === null ? status === "failed" : exitCode !== 0, exitCode };
};
