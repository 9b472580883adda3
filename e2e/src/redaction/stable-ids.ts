import { createHash } from "node:crypto";

/** Replaces every id by a stable one of the same shape, made of the recording's name and the id's position. */
export function stableIds(name: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const seed = idSeed(name);
  const names = new Map<string, string>();
  const rename = (id: string): string => {
    const number = (names.size + 1).toString(16);
    const fresh = names.get(id) ?? shape(id, seed, number);
    names.set(id, fresh);
    return fresh;
  };
  const all = Object.entries(files).flat().join("\n");
  for (const [, id = ""] of all.matchAll(KEYED_ID)) if (!UUID_WHOLE.test(id) && !SCRIPTED_ID.test(id)) rename(id);
  for (const [, start = ""] of all.matchAll(SESSION_ID)) names.set(start, seed);
  const known = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([UUID, HASH, ...known].join("|"), "g");
  const apply = (text: string): string => text.replace(pattern, rename);
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [apply(file), apply(text)]));
}

/** What all ids of a recording begin with. */
export function idSeed(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const UUID_WHOLE = new RegExp(`^${UUID}$`);
const HASH = String.raw`\b(?:[0-9a-f]{64}|[0-9a-f]{32}|(?:ses|msg|prt)_[0-9A-Za-z]{26})\b|(?<=_)\d{13}(?=_)`;
/** Ids that only their key distinguishes from ordinary words. */
const KEYED_ID = /"(?:agentId|agent_id|backgroundTaskId|taskId)":\s*"([\w-]{6,})"/g;
/** Ids that hold those of calls, which the scripted model gives. */
const SCRIPTED_ID = /call_0/;
/** Gemini names a session's file by the beginning of its id. */
const SESSION_ID = /"session_?[iI]d":\s*"([0-9a-f]{8})-/g;

/** A uuid keeps its version digit, so that a reader who sorts by it still can. */
function shape(id: string, seed: string, number: string): string {
  if (UUID_WHOLE.test(id)) return `${seed}-0000-${id.charAt(14)}000-8000-${number.padStart(12, "0")}`;
  if (/^\d+$/.test(id)) return number.padStart(id.length, "0");
  return `${seed}${number.padStart(Math.max(0, id.length - seed.length), "0")}`;
}
