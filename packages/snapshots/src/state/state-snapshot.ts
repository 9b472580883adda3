import { hash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeNew } from "@agent-checkpoint/files";
import { scanContents } from "@agent-checkpoint/redaction/scan";
import type { Capture, CaptureRequest, Change, DrillRequest, Kind, Look } from "../kinds/kind.ts";
import { absentAt, byPath, count, type Entry, isSameState, type Manifest, type Omission } from "../manifest.ts";
import type { Contents } from "../objects.ts";
import { type BytePath, encodePath } from "../paths.ts";
import type { Context } from "../place.ts";
import { blobId } from "../read-files.ts";
import { itemOfPath, pathOfItem, type ScopeItem } from "../scope.ts";
import { SafetyError } from "../trouble.ts";
import { canonicalJson } from "./canonical-json.ts";
import { withState } from "./open-state.ts";
import type { ExpectedVersion, StateAdapter, StateJson } from "../state-adapter.ts";

/** Keys of a key-value store, each as canonical JSON; a key that was not there is recorded as absent. */
export const stateSnapshot: Kind = {
  isOfFiles: false,
  capture: (request, context) => withState(context, (adapter) => capture(adapter, request, context)),
  look: (manifest, entries, context) => withState(context, (adapter) => look(adapter, manifest, entries)),
  drill,
  apply: ({ changes, contents, isResumed, step }, context) =>
    withState(context, async (adapter) => {
      for (const change of changes) {
        await applyChange(adapter, change, { contents, isResumed });
        step(`set ${encodePath(change.to.path)}`);
      }
    }),
};

async function capture(adapter: StateAdapter, request: CaptureRequest, { limits }: Context): Promise<Capture> {
  const { scope, exactly, writer, leaveSecrets } = request;
  const keys = exactly === undefined ? await keysIn(adapter, scope) : exactly.map(keyOf);
  const entries: Entry[] = [];
  const excluded: Omission[] = [];
  const skipped: Omission[] = [];
  let bytes = 0;
  for (const key of keys) {
    const { entry, content } = await read(adapter, key);
    const path = encodePath(entry.path);
    if (content === null) entries.push(entry);
    else if (entry.size > limits.fileBytes || bytes + entry.size > limits.totalBytes)
      skipped.push({ path, rule: "value-too-large", reason: "larger than the limit" });
    else {
      const scanned = { path: entry.path, bytes: content.subarray(0, limits.scanBytes) };
      const finding = leaveSecrets ? (await scanContents([scanned])).get(entry.path) : undefined;
      if (finding !== undefined) {
        excluded.push({ path, ...finding });
        continue;
      }
      await writer.add(content);
      bytes += content.length;
      entries.push(entry);
    }
  }
  const present = entries.filter(({ type }) => type !== "absent").length;
  return {
    entries: entries.sort(byPath),
    excluded,
    skipped,
    assumptions: adapter.hasVersions
      ? []
      : ["The state has no versions: a change between a restore's look and its write would go unnoticed."],
    bytes,
    summary: `${count(present, "key")}, ${entries.length - present} recorded as absent, ${bytes} bytes`,
    details: { adapter: adapter.name },
  };
}

/** The keys of a scope; `prefix*` stands for all keys that begin with it now. */
async function keysIn(adapter: StateAdapter, scope: readonly ScopeItem[]): Promise<readonly string[]> {
  const keys = new Set<string>();
  for (const item of scope) {
    if (item.kind !== "state") continue;
    for (const key of item.key.endsWith("*") ? await adapter.list(item.key.slice(0, -1)) : [item.key]) keys.add(key);
  }
  return [...keys];
}

async function look(adapter: StateAdapter, manifest: Manifest, entries: readonly Entry[]): Promise<Look> {
  const then = manifest.details["adapter"];
  if (then !== adapter.name)
    throw new SafetyError("bad-input", `${manifest.id} is of the state in \`${then}\`, not in \`${adapter.name}\`.`);
  const entriesOf = async (keys: readonly string[]): Promise<Entry[]> => {
    const found: Entry[] = [];
    for (const key of keys) found.push((await read(adapter, key)).entry);
    return found;
  };
  const left = [...manifest.excluded, ...manifest.skipped].map(({ path }) => path);
  const known = new Set([...entries.map(({ path }) => encodePath(path)), ...left]);
  const areas = manifest.scope.filter((item) => item.kind === "state" && item.key.endsWith("*"));
  const isNew = (key: string): boolean => !known.has(encodePath(pathOfItem({ kind: "state", key })));
  const appeared = (await keysIn(adapter, areas)).filter(isNew);
  return { now: await entriesOf(entries.map(({ path }) => keyOf(path))), appeared: await entriesOf(appeared) };
}

/** Writes each value into a file and reads it back as a restore would. */
async function drill({ folder, entries, contents }: DrillRequest): Promise<readonly Entry[]> {
  const files = join(folder, "files");
  mkdirSync(files, { mode: 0o700 });
  const written: Entry[] = [];
  for (const entry of entries) {
    if (entry.type === "absent") {
      written.push(entry);
      continue;
    }
    // A key may be longer than a file name.
    const file = join(files, `${hash("sha256", entry.path).slice(0, 16)}.json`);
    const key = keyOf(entry.path);
    writeNew(file, canonicalJson({ key, value: await valueOf(entry, contents) }, key), 0o600);
    const back = JSON.parse(readFileSync(file, "utf8")) as { readonly value: unknown };
    written.push(entryOf(key, canonicalJson(back.value, key)).entry);
  }
  return written;
}

/** Sets or deletes one key, if it still holds what the plan saw. */
async function applyChange(
  adapter: StateAdapter,
  { from, to }: Change,
  { contents, isResumed }: { readonly contents: Contents; readonly isResumed: boolean },
): Promise<void> {
  const key = keyOf(to.path);
  const { entry: now, expected } = await read(adapter, key);
  const isChanged = !isSameState(now, from);
  if (isSameState(now, to) || (isChanged && isResumed)) return;
  const write = async () =>
    to.type === "absent" ? adapter.delete(key, expected) : adapter.set(key, await valueOf(to, contents), expected);
  if (!isChanged && (await write()) === "done") return;
  throw new SafetyError(
    "changed-by-others",
    `\`state:${key}\` was changed while it was being restored.`,
    "What was restored so far went back to what it was. Try again.",
  );
}

async function valueOf(entry: Entry, contents: Contents): Promise<StateJson> {
  return JSON.parse((await contents.read(entry)).toString("utf8")) as StateJson;
}

interface ReadKey {
  readonly entry: Entry;
  readonly content: Buffer | null;
  readonly expected?: ExpectedVersion;
}

async function read(adapter: StateAdapter, key: string): Promise<ReadKey> {
  const found = await adapter.get(key);
  const expected = adapter.hasVersions ? { expected: { version: found?.version ?? null } } : {};
  if (found === null) return { entry: absentAt(pathOfItem({ kind: "state", key })), content: null, ...expected };
  return { ...entryOf(key, canonicalJson(found.value, key)), ...expected };
}

function entryOf(key: string, text: string): { readonly entry: Entry; readonly content: Buffer } {
  const content = Buffer.from(text, "utf8");
  const path = pathOfItem({ kind: "state", key });
  return { entry: { path, type: "value", mode: 0, size: content.length, oid: blobId(content) }, content };
}

function keyOf(path: BytePath): string {
  const item = itemOfPath(path);
  if (item?.kind === "state") return item.key;
  throw new SafetyError("damaged", `\`${encodePath(path)}\` is not a key of a state.`);
}
