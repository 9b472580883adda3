import { realpathSync } from "node:fs";
import { type ProjectPlace, readTurn, toProjectPath } from "@agent-checkpoint/heuristics";
import { type AgentName, extractToolCallsBetween, type ToolCallRecord } from "@agent-checkpoint/transcript";
import { editsOf, type FileEdit } from "./edits-of.ts";

/** What a session's calls did to one file. */
export interface WrittenFile {
  /** Relative to the root, as git writes it. */
  readonly path: string;
  readonly edits: readonly FileEdit[];
  /** When the last call that named it was made, and when the one after it was; null where nobody knows. */
  readonly lastAt: Date | null;
  readonly nextAt: Date | null;
  readonly isFile: (name: string) => boolean;
}

/** The files that a session's calls wrote, from its whole transcript, in the order they were first written. */
export function sessionWrites(
  transcriptPath: string | null,
  agent: AgentName,
  root: string,
): ReadonlyMap<string, WrittenFile> {
  if (transcriptPath === null) return new Map();
  const toolCalls = extractToolCallsBetween(transcriptPath, agent, { from: 0, to: Number.MAX_SAFE_INTEGER });
  return writesOf(toolCalls, placeOf(root));
}

/** The same of calls that have been read. */
export function writesOf(toolCalls: readonly ToolCallRecord[], place: ProjectPlace): ReadonlyMap<string, WrittenFile> {
  const timeline = { hasData: true, toolCalls, prompt: null, isWhole: true, skippedLines: 0, size: 0 } as const;
  const found = new Map<string, WrittenFile>();
  const { calls } = readTurn(timeline, place);
  for (const [index, { record, writes }] of calls.entries()) {
    if (record.rejected || (record.kind !== "shell" && record.hadError === true)) continue;
    const folder = record.cwd ?? ".";
    for (const path of new Set(writes.map(({ file }) => file))) {
      found.set(path, {
        path,
        edits: [...(found.get(path)?.edits ?? []), ...editsOf(record)],
        lastAt: record.timestamp,
        nextAt: calls.slice(index + 1).find((call) => call.record.timestamp !== null)?.record.timestamp ?? null,
        isFile: (name) => toProjectPath(name, place, folder) === path,
      });
    }
  }
  return found;
}

function placeOf(root: string): ProjectPlace {
  try {
    const real = realpathSync(root);
    return { projectPath: root, projectAliases: real === root ? [] : [real] };
  } catch {
    return { projectPath: root };
  }
}
