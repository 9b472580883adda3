import type { TurnCall } from "../turn/read-turn.ts";
import type { CallReference } from "./explanation.ts";

/** Names a call of the turn for a person. */
export function referToCall({ number, record, reads, writes }: TurnCall): CallReference {
  const { id, kind, command, toolName, files, timestamp, by } = record;
  const file = [...writes, ...reads][0]?.file ?? files[0];
  const what = kind === "shell" && command !== null ? command.trim() : [toolName, file ?? ""].join(" ").trimEnd();
  return { number, id, what, at: timestamp, by };
}
