import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { count } from "../create/report.ts";
import { type Entry, absentAt, byPath, isSameState } from "../manifest/entry.ts";
import type { Manifest, Omission } from "../manifest/manifest.ts";
import { type BytePath, encodePath } from "../paths/byte-path.ts";
import { itemOfPath, pathOfItem } from "../request/item-path.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import { scanContents } from "@agent-checkpoint/redaction/scan";
import { canonicalJson, parseCanonicalJson } from "../state/canonical-json.ts";
import { withState } from "../state/open-state.ts";
import type { ExpectedVersion, StateAdapter } from "../state/state-adapter.ts";
import { type Contents, blobId } from "../store/contents.ts";
import { SafetyError } from "../trouble.ts";
import {
  type Capture,
  type CaptureRequest,
  type Change,
  type DrillRequest,
  type Kind,
  type Look,
  type LookRequest,
  NOT_FILES,
  type Sources,
} from "./kind.ts";

/** Keys of a key-value store, each as canonical JSON; a key that was not there is recorded as absent. */
export function stateSnapshot(sources: Sources): Kind {
  return {
    type: "state_snapshot",
    isOfFiles: false,
    capture: (request) => withState(sources, (adapter) => capture(adapter, request)),
    look: (request) => withState(sources, (adapter) => look(adapter, request)),
    drill,
    apply: ({ changes, contents, isResumed, step }) =>
      withState(sources, async (adapter) => {
        for (const change of changes) {
          await applyChange(adapter, change, { contents, isResumed });
          step(`set ${encodePath(change.to.path)}`);
        }
      }),
  };
}

async function capture(adapter: StateAdapter, request: CaptureRequest): Promise<Capture> {
  const { scope, exactly, limits, writer, leaveSecrets } = request;
  const keys = exactly === undefined ? await keysIn(adapter, scope) : exactly.map(keyOf);
  const entries: Entry[] = [];
  const excluded: Omission[] = [];
  const skipped: Omission[] = [];
  let bytes = 0;
  for (const key of keys) {
    const { entry, content } = await read(adapter, key);
    const path = encodePath(entry.path);
    if (content !== null) {
      if (entry.size > limits.fileBytes || bytes + entry.size > limits.totalBytes) {
        skipped.push({ path, rule: "value-too-large", reason: "larger than the limit" });
        continue;
      }
      const scanned = { path: entry.path, bytes: content.subarray(0, limits.scanBytes) };
      const finding = leaveSecrets ? (await scanContents([scanned])).get(entry.path) : undefined;
      if (finding !== undefined) {
        excluded.push({ path, ...finding });
        continue;
      }
      await writer.add(content);
      bytes += content.length;
    }
    entries.push(entry);
  }
  const present = entries.filter(({ type }) => type !== "absent").length;
  return {
    entries: entries.sort(byPath),
    ...NOT_FILES,
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
    const prefix = prefixOf(item.key);
    for (const key of prefix === null ? [item.key] : await adapter.list(prefix)) keys.add(key);
  }
  return [...keys];
}

function prefixOf(key: string): string | null {
  return key.endsWith("*") ? key.slice(0, -1) : null;
}

async function look(adapter: StateAdapter, { manifest, entries }: LookRequest): Promise<Look> {
  refuseOtherState(manifest, adapter);
  const entriesOf = async (keys: readonly string[]): Promise<Entry[]> => {
    const found: Entry[] = [];
    for (const key of keys) found.push((await read(adapter, key)).entry);
    return found;
  };
  const held = new Set(entries.map(({ path }) => path));
  const leftOut = new Set([...manifest.excluded, ...manifest.skipped].map(({ path }) => path));
  const areas = manifest.scope.filter((item) => item.kind === "state" && prefixOf(item.key) !== null);
  const listed = await keysIn(adapter, areas);
  const appeared = listed.filter((key) => {
    const path = pathOfItem({ kind: "state", key });
    return !held.has(path) && !leftOut.has(encodePath(path));
  });
  return { now: await entriesOf(entries.map(({ path }) => keyOf(path))), appeared: await entriesOf(appeared) };
}

function refuseOtherState({ id, details }: Manifest, { name }: StateAdapter): void {
  if (details["adapter"] === name) return;
  throw new SafetyError("bad-input", `${id} is of the state in \`${details["adapter"]}\`, not in \`${name}\`.`);
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
    const value = await valueOf(entry, contents);
    writeFileSync(file, canonicalJson({ key, value }, key), { flag: "wx", mode: 0o600 });
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
  if (isSameState(now, to)) return;
  const isChanged = !isSameState(now, from);
  if (isChanged && isResumed) return;
  const isDone =
    !isChanged &&
    (to.type === "absent"
      ? await adapter.delete(key, expected)
      : await adapter.set(key, await valueOf(to, contents), expected)) === "done";
  if (isDone) return;
  throw new SafetyError(
    "changed-by-others",
    `\`state:${key}\` was changed while it was being restored.`,
    "What was restored so far went back to what it was. Try again.",
  );
}

async function valueOf({ path, oid }: Entry, contents: Contents): Promise<ReturnType<typeof parseCanonicalJson>> {
  const bytes = await contents.read(oid ?? "");
  if (bytes === null)
    throw new SafetyError("damaged", `The contents of \`${encodePath(path)}\` are missing or damaged.`);
  return parseCanonicalJson(bytes.toString("utf8"));
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
