import { type JsonObject, numberAt, objectAt, textAt, textsAt } from "../../read/json.ts";
import { type Outcome, readOutput } from "../../turn/calls.ts";
import { type CallDraft, commandLine } from "./parse-call.ts";

/** What Codex did, as one of its events reports it. This includes what a script did, which makes no calls of its own. */
export interface CompletedItem {
  readonly draft: CallDraft;
  readonly outcome: Outcome;
  readonly turnId: string | null;
}

/** The command or the change of files that an event reports; null if it is neither. */
export function parseItem(event: JsonObject): CompletedItem | null {
  const item = event["type"] === "item_completed" ? objectAt(event, "item") : null;
  const id = item === null ? null : textAt(item, "id");
  if (item === null || id === null) return null;
  const parsed = ITEMS.get(textAt(item, "type") ?? "")?.(item, id) ?? null;
  return parsed === null ? null : { ...parsed, turnId: textAt(event, "turn_id") };
}

type ItemParser = (item: JsonObject, id: string) => Omit<CompletedItem, "turnId"> | null;

const ITEMS: ReadonlyMap<string, ItemParser> = new Map(
  Object.entries<ItemParser>({
    CommandExecution: (item, id) => {
      // A command that the user typed is not the agent's.
      if (textAt(item, "source")?.startsWith("user") === true) return null;
      const argv = textsAt(item, "command");
      const inputData = { command: argv, cwd: item["cwd"] };
      const exitCode = numberAt(item, "exit_code");
      return {
        draft: {
          id,
          toolName: "CommandExecution",
          kind: "shell",
          inputData,
          command: commandLine(argv),
          cwd: folderOf(textAt(item, "cwd")),
          files: [],
        },
        outcome: { ...endOf(item), exitCode, ...readOutput(textAt(item, "aggregated_output") ?? "") },
      };
    },
    FileChange: (item, id) => {
      const changes = objectAt(item, "changes") ?? {};
      return {
        draft: {
          id,
          toolName: "FileChange",
          kind: isOnlyAdding(changes) ? "write" : "edit",
          inputData: { changes },
          command: null,
          cwd: null,
          files: filesOf(changes),
        },
        outcome: {
          ...endOf(item),
          exitCode: null,
          ...readOutput(`${textAt(item, "stdout") ?? ""}${textAt(item, "stderr") ?? ""}`),
        },
      };
    },
  }),
);

function endOf(item: JsonObject): Pick<Outcome, "hadError" | "rejected"> {
  const status = textAt(item, "status");
  if (status === "in_progress" || status === null) return { hadError: null, rejected: false };
  return { hadError: status !== "completed", rejected: status === "declined" };
}

/** The files that a change names, with those it moves them to. */
export function filesOf(changes: JsonObject): readonly string[] {
  return Object.keys(changes).flatMap((file) => {
    const moved = textAt(objectAt(changes, file) ?? {}, "move_path");
    return moved === null ? [file] : [file, moved];
  });
}

function isOnlyAdding(changes: JsonObject): boolean {
  return Object.keys(changes).every((file) => objectAt(changes, file)?.["type"] === "add");
}

function folderOf(cwd: string | null): string | null {
  if (cwd === null || !cwd.startsWith("file://")) return cwd;
  try {
    return decodeURIComponent(cwd.slice("file://".length));
  } catch {
    return cwd;
  }
}
