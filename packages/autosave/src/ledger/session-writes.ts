import { realpathSync } from "node:fs";
import { type ProjectPlace, readTurn, toProjectPath } from "@agent-checkpoint/heuristics";
import { type AgentName, extractToolCallsBetween, type ToolCallRecord } from "@agent-checkpoint/transcript";

/** What a session's calls did to one file. */
export interface WrittenFile {
  /** Relative to the root, as git writes it. */
  readonly path: string;
  readonly edits: readonly FileEdit[];
  /** When the last call that named it was made, and when the one after it was; null if unknown. */
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
function writesOf(toolCalls: readonly ToolCallRecord[], place: ProjectPlace): ReadonlyMap<string, WrittenFile> {
  const found = new Map<string, WrittenFile>();
  const { calls } = readTurn({ toolCalls }, place);
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

/** What a call did to the text of one file, according to its arguments. */
export type FileEdit =
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "replace"; readonly old: string; readonly now: string; readonly isEverywhere: boolean }
  | { readonly kind: "patch"; readonly patch: string }
  /** It changed the file in a way that only the file shows, as a shell command does. */
  | { readonly kind: "unknown" };

const UNKNOWN: readonly FileEdit[] = [{ kind: "unknown" }];

/** The edits that a call made to each file that it names, by the shape of its arguments; none if it failed. */
function editsOf(record: ToolCallRecord): readonly FileEdit[] {
  if (record.kind === "shell" || record.hadError !== false) return record.hadError === true ? [] : UNKNOWN;
  for (const read of SHAPES) {
    const edits = read(record.inputData);
    if (edits !== null) return edits;
  }
  return UNKNOWN;
}

type Arguments = ToolCallRecord["inputData"];

/** The shapes that arguments of editing tools have, whatever the agent. */
const SHAPES: readonly ((given: Arguments) => readonly FileEdit[] | null)[] = [
  ({ edits }) => (Array.isArray(edits) ? edits.map(replacement) : null),
  (given) => (typeof given["old_string"] === "string" ? [replacement(given)] : null),
  ({ content, cell_id }) =>
    typeof content === "string" && cell_id === undefined ? [{ kind: "write", text: content }] : null,
  (given) => patchIn([given["input"], given["patch"], given["cmd"], given["command"]].flat()),
];

function replacement(given: unknown): FileEdit {
  const { old_string: old, new_string: now, ...how } = (given ?? {}) as Arguments;
  if (typeof old !== "string" || typeof now !== "string") return { kind: "unknown" };
  const expected = how["expected_replacements"];
  const isEverywhere =
    how["replace_all"] === true || how["allow_multiple"] === true || (typeof expected === "number" && expected > 1);
  // A file is made by replacing nothing.
  return old === "" ? { kind: "write", text: now } : { kind: "replace", old, now, isEverywhere };
}

function patchIn(texts: readonly unknown[]): readonly FileEdit[] | null {
  for (const text of texts) {
    const patch = typeof text === "string" ? findPatch(text) : null;
    if (patch !== null) return [{ kind: "patch", patch }];
  }
  return null;
}

/** The patch in Codex's own format in a text; null if there is no complete one. */
function findPatch(text: string): string | null {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(FINISH, begin);
  return begin === -1 || end === -1 ? null : text.slice(begin, end);
}

const BEGIN = "*** Begin Patch";
const FINISH = "*** End Patch";

/** The text of a file after a patch; null if the patch deletes it, undefined if it does not apply. */
export function applyPatch(
  patch: string,
  isFile: (name: string) => boolean,
  before: string | null,
): string | null | undefined {
  let text: string | null | undefined = before;
  let hasTouched = false;
  for (const part of partsOf(patch)) {
    const isSource = isFile(part.name);
    const isTarget = part.moveTo !== null && isFile(part.moveTo);
    if (!isSource && !isTarget) continue;
    hasTouched = true;
    // What a file was that took another's name is not known from the name it has now.
    if (isTarget) return undefined;
    if (part.action === "Delete" || part.moveTo !== null) text = null;
    else if (part.action === "Add") text = part.lines.map((line) => `${line.slice(1)}\n`).join("");
    else text = text === null ? undefined : applyHunks(text, part.lines);
    if (text === undefined) return undefined;
  }
  return hasTouched ? text : undefined;
}

interface PatchPart {
  readonly action: string;
  readonly name: string;
  readonly moveTo: string | null;
  readonly lines: readonly string[];
}

function partsOf(patch: string): readonly PatchPart[] {
  const parts: { action: string; name: string; moveTo: string | null; lines: string[] }[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, action, name] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    const [, moveTo] = /^\*\*\* Move to: (.+)$/.exec(line) ?? [];
    const part = parts.at(-1);
    if (action !== undefined && name !== undefined) parts.push({ action, name: name.trim(), moveTo: null, lines: [] });
    else if (moveTo !== undefined && part !== undefined) part.moveTo = moveTo.trim();
    else if (part !== undefined && line !== "" && !line.startsWith("*** ")) part.lines.push(line);
    else if (part !== undefined && line === "" && part.action === "Update") part.lines.push(" ");
  }
  return parts;
}

function applyHunks(text: string, lines: readonly string[]): string | undefined {
  const found = text.split("\n");
  let from = 0;
  for (const hunk of hunksOf(lines)) {
    const old = hunk.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    const now = hunk.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    const at = findLines(found, old, from);
    if (at === -1) return undefined;
    found.splice(at, old.length, ...now);
    from = at + now.length;
  }
  return found.join("\n");
}

function hunksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const hunks: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  // The empty line at the end of the patch is not part of the file.
  return hunks.map((hunk) => (hunk.at(-1) === " " ? hunk.slice(0, -1) : hunk)).filter((hunk) => hunk.length > 0);
}

function findLines(lines: readonly string[], old: readonly string[], from: number): number {
  if (old.length === 0) return lines.at(-1) === "" ? lines.length - 1 : lines.length;
  for (let at = from; at + old.length <= lines.length; at += 1)
    if (old.every((line, index) => lines[at + index] === line)) return at;
  return -1;
}
