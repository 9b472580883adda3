import { hash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckpointType } from "../checkpoint-type.ts";
import type { Context } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Capture, Completion } from "../kinds/kind.ts";
import { renderStream } from "../manifest/canonical-stream.ts";
import { createId } from "../manifest/checkpoint-id.ts";
import type { Entry } from "../manifest/entry.ts";
import { type Counts, type Manifest, renderManifest } from "../manifest/manifest.ts";
import { type BytePath, encodePath } from "../paths/byte-path.ts";
import { itemOfPath } from "../request/item-path.ts";
import type { ParsedRequest } from "../request/parse-request.ts";
import { MANIFEST, treePath } from "../store/load-checkpoint.ts";
import { openContents } from "../store/open-contents.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { type PackWriter, writePack } from "../store/write-pack.ts";
import { flushTogether, writeDraft } from "../store/write-whole.ts";
import { SafetyError } from "../trouble.ts";
import { changedBySession } from "../writes/read-writes.ts";
import { confidenceOf } from "./confidence.ts";
import { drill } from "./drill.ts";
import { NothingCaptured } from "./nothing-captured.ts";
import { restoreCommand } from "./restore-command.ts";
import { summarise } from "./summary.ts";

/** A checkpoint to be made, once it is clear what it is. */
export interface NewCheckpoint extends Omit<ParsedRequest, "type"> {
  readonly type: CheckpointType;
  readonly purpose: Manifest["purpose"];
  readonly program: readonly string[];
  /** These very paths, whatever they hold: what a restore is about to touch. */
  readonly exactly?: readonly BytePath[];
}

export interface MadeCheckpoint {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

/**
 * Makes a checkpoint in a locked store: contents, then the tree, then a drill, and last the manifest, whose rename into
 * place is the moment from which the checkpoint exists. Whatever ends before that leaves nothing that counts.
 */
export async function makeCheckpoint(wanted: NewCheckpoint, context: Context): Promise<MadeCheckpoint> {
  const { place, step, progress } = context;
  const { layout } = place;
  const kind = kindOf(wanted.type, context);
  const now = context.now();
  const id = freeId(now, layout.checkpoints);
  const before = openContents(layout);
  const pack = writePack(layout, id, before);
  const draft = join(layout.tmp, id);
  // Until it is renamed into place, this folder says that the checkpoint was never finished.
  mkdirSync(draft, { mode: 0o700 });
  try {
    step("started");
    const capture = await kind.capture({
      place,
      scope: wanted.scope,
      ...(wanted.exactly === undefined ? {} : { exactly: wanted.exactly }),
      limits:
        wanted.purpose === "undo" ? { ...context.limits, fileBytes: Infinity, totalBytes: Infinity } : context.limits,
      pack,
      leaveSecrets: wanted.purpose === "asked",
      progress,
    });
    const { isEmpty, ...counts } = countsOf(capture);
    if (isEmpty && wanted.purpose === "asked") throw new NothingCaptured(capture);
    step("captured");
    const tree = capture.proven?.tree ?? (await storeContents(pack, capture.entries, layout));
    step("tree written");
    const contents = openContents(layout);
    try {
      const [completion, proven] = await bothOf(
        kind.complete?.({ place, id, reason: wanted.reason, now, capture, contents }) ?? NOTHING_ADDED,
        drill({ kind, layout, root: place.root, id, capture, tree, contents, progress }),
      );
      step("drilled");
      const changedBefore = wanted.purpose === "asked" ? changedBySession(context, capture) : [];
      const manifest: Manifest = {
        version: 1,
        id,
        type: wanted.type,
        purpose: wanted.purpose,
        createdAt: now.toISOString(),
        expiresAt: wanted.expiresAt?.toISOString() ?? null,
        reason: wanted.reason,
        session: context.session,
        root: place.root,
        scope:
          wanted.exactly === undefined
            ? wanted.scope
            : wanted.exactly.map(
                (path) => (kind.isOfFiles ? null : itemOfPath(path)) ?? { kind: "path", path: encodePath(path) },
              ),
        tree,
        counts,
        summary: capture.summary ?? summarise(counts),
        confidence: confidenceOf({
          excluded: capture.excluded,
          skipped: capture.skipped,
          changedBefore: changedBefore.length,
        }),
        assumptions: [
          ...capture.assumptions,
          ...completion.assumptions,
          ...changedBefore.map(
            (path) =>
              `This session had already changed \`${encodePath(path)}\`: its state before that is not in this checkpoint.`,
          ),
        ],
        excluded: capture.excluded,
        skipped: capture.skipped,
        restoreCommand: restoreCommand(wanted.program, { id, root: place.root, store: layout.folder }),
        drill: proven,
        git: completion.git,
        details: capture.details,
      };
      await publish(draft, join(layout.checkpoints, id), manifest);
      await flushTogether([layout.checkpoints]);
      step("published");
      capture.remember();
      return made(manifest, capture);
    } finally {
      contents.close();
    }
  } catch (error) {
    pack.abort();
    if (existsSync(draft)) {
      for (const file of [`${id}.idx`, `${id}.pack`]) rmSync(join(layout.packs, file), { force: true });
      rmSync(draft, { recursive: true, force: true });
    }
    throw error;
  } finally {
    before.close();
  }
}

/** The entries are those of the capture, read when they are asked for. */
function made(manifest: Manifest, capture: Capture): MadeCheckpoint {
  return {
    manifest,
    get entries() {
      return capture.entries;
    },
  };
}

const NOTHING_ADDED: Completion = { git: null, assumptions: [] };

/** Waits for both, also where one has failed, since they read from the same open packs. */
async function bothOf<A, B>(a: Promise<A> | A, b: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** An id that is not taken; the rename into place makes sure of it once more. */
function freeId(now: Date, checkpoints: string): string {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const id = createId(now);
    if (!existsSync(join(checkpoints, id))) return id;
  }
  throw new SafetyError("io", "No id is free.");
}

/** Brings contents and tree onto the disk, and only then gives them their names; gives the hash of the tree. */
async function storeContents(pack: PackWriter, entries: readonly Entry[], layout: StoreLayout): Promise<string> {
  const stream = renderStream(entries);
  const tree = `sha256:${hash("sha256", stream)}`;
  const path = treePath(layout, tree);
  const { flush, settle } = pack.finish();
  const draft = existsSync(path) ? null : writeDraft(path, stream, layout.tmp);
  await flushTogether(draft === null ? flush : [...flush, draft]);
  settle();
  if (draft !== null) renameSync(draft, path);
  await flushTogether([layout.packs, layout.trees]);
  return tree;
}

async function publish(draft: string, folder: string, manifest: Manifest): Promise<void> {
  writeFileSync(join(draft, MANIFEST), renderManifest(manifest), { flag: "wx", mode: 0o600 });
  await flushTogether([join(draft, MANIFEST), draft]);
  // Onto a checkpoint of the same id this fails, because a folder with something in it is not replaced.
  renameSync(draft, folder);
}

function countsOf(capture: Capture): Counts & { readonly isEmpty: boolean } {
  const { lines, bytes, uncommitted, proven } = capture;
  if (proven !== undefined)
    return { entries: proven.entries, files: proven.files, lines, bytes, uncommitted, isEmpty: false };
  const { entries } = capture;
  return {
    entries: entries.length,
    files: entries.filter(({ type }) => type === "file" || type === "link").length,
    lines,
    bytes,
    uncommitted,
    isEmpty: entries.every(({ type }) => type === "directory"),
  };
}
