/** The patch in Codex's own format that stands in a text; null where there is none that is whole. */
export function findPatch(text: string): string | null {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(FINISH, begin);
  return begin === -1 || end === -1 ? null : text.slice(begin, end);
}

const BEGIN = "*** Begin Patch";
const FINISH = "*** End Patch";

/** What a patch makes of one file: its new text, null where it deletes it; undefined where the patch does not fit. */
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
    const at = placeOf(found, old, from);
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
  // The empty line that ends the patch's text is none of the file's.
  return hunks.map((hunk) => (hunk.at(-1) === " " ? hunk.slice(0, -1) : hunk)).filter((hunk) => hunk.length > 0);
}

function placeOf(lines: readonly string[], old: readonly string[], from: number): number {
  if (old.length === 0) return lines.at(-1) === "" ? lines.length - 1 : lines.length;
  for (let at = from; at + old.length <= lines.length; at += 1)
    if (old.every((line, index) => lines[at + index] === line)) return at;
  return -1;
}
