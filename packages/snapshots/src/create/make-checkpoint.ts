import { hash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckpointType } from "../checkpoint-type.ts";
import type { Context } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Begun } from "../kinds/begin-by-git.ts";
import type { Capture, CompleteRequest, Completion } from "../kinds/kind.ts";
import { renderStream } from "../manifest/canonical-stream.ts";
import { createId } from "../manifest/checkpoint-id.ts";
import type { Entry } from "../manifest/entry.ts";
import { type Counts, type Manifest, renderManifest } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { ParsedRequest } from "../request/parse-request.ts";
import { MANIFEST, treePath } from "../store/load-checkpoint.ts";
import { openContents } from "../store/open-contents.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import type { Drafts } from "../store/write-drafts.ts";
import { type PackWriter, writePack } from "../store/write-pack.ts";
import { flushFolder, flushTogether, writeDraft } from "../store/write-whole.ts";
import { SafetyError } from "../trouble.ts";
import { drill } from "./drill.ts";
import { manifestOf } from "./manifest-of.ts";
import { NothingCaptured } from "./nothing-captured.ts";

/** A checkpoint to be made, once it is clear what it is. */
export interface NewCheckpoint extends Omit<ParsedRequest, "type"> {
  readonly type: CheckpointType;
  readonly purpose: Manifest["purpose"];
  readonly program: readonly string[];
  /** These very paths, whatever they hold: what a restore is about to touch. */
  readonly exactly?: readonly BytePath[];
  /** What the kind was asked ahead. */
  readonly begun?: Begun;
  /** Makes ready what tells of the checkpoint, for when it exists. */
  readonly announce?: (made: MadeCheckpoint) => Announcement;
}

/** What tells of a checkpoint; it is settled when that has reached the disk under its name. */
export interface Announcement {
  readonly settle: () => void;
  readonly discard: () => void;
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
  const drafts: Pick<Drafts, "discard">[] = [];
  const discardDrafts = (): void => {
    for (const undecided of drafts.splice(0)) undecided.discard();
  };
  const complete = async (request: CompleteRequest): Promise<Completion> => {
    const completion = (await kind.complete?.(request)) ?? NOTHING_ADDED;
    if (completion.drafts !== undefined) drafts.push(completion.drafts);
    return completion;
  };
  const prepare = async (capture: Capture): Promise<Prepared> => {
    const { isEmpty, ...counts } = countsOf(capture);
    if (isEmpty && wanted.purpose === "asked") throw new NothingCaptured(capture);
    step("captured");
    const tree = capture.proven?.tree ?? (await storeContents(pack, capture.entries, layout));
    step("tree written");
    const contents = openContents(layout);
    try {
      const [completion, proven] = await bothOf(
        complete({ place, id, reason: wanted.reason, now, capture, contents }),
        drill({ kind, layout, root: place.root, id, capture, tree, contents, progress }),
      );
      step("drilled");
      const manifest = manifestOf({ id, now, tree, counts, capture, completion, drill: proven }, wanted, context);
      writeFileSync(join(draft, MANIFEST), renderManifest(manifest), { mode: 0o600 });
      const flushed = flushTogether([join(draft, MANIFEST), draft, ...(completion.drafts?.paths ?? [])]);
      const result = made(manifest, capture);
      const announcement = wanted.announce?.(result);
      if (announcement !== undefined) drafts.push(announcement);
      return { capture, completion, flushed, result, announcement };
    } finally {
      contents.close();
    }
  };
  /** Waits for the disk, and for what a guess depends on; where it was wrong, everything is prepared once more. */
  const certain = async (prepared: Prepared): Promise<Prepared> => {
    const { proven } = prepared.capture;
    const [holds] = await bothOf(proven?.holds() ?? true, prepared.flushed);
    if (proven === undefined || holds) return prepared;
    discardDrafts();
    return certain(await prepare(await proven.otherwise()));
  };
  try {
    step("started");
    const first = await prepare(
      await kind.capture({
        place,
        scope: wanted.scope,
        ...(wanted.exactly === undefined ? {} : { exactly: wanted.exactly }),
        ...(wanted.begun === undefined ? {} : { begun: wanted.begun }),
        limits:
          wanted.purpose === "undo" ? { ...context.limits, fileBytes: Infinity, totalBytes: Infinity } : context.limits,
        pack,
        leaveSecrets: wanted.purpose === "asked",
        progress,
      }),
    );
    const { capture, completion, result, announcement } = await certain(first);
    completion.drafts?.settle();
    // Onto a checkpoint of the same id this fails, because a folder with something in it is not replaced.
    renameSync(draft, join(layout.checkpoints, id));
    flushFolder(layout.checkpoints);
    step("published");
    announcement?.settle();
    await capture.remember(completion);
    return result;
  } catch (error) {
    pack.abort();
    discardDrafts();
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

/** A checkpoint whose manifest lies in its draft. */
interface Prepared {
  readonly capture: Capture;
  readonly completion: Completion;
  /** That all of it has reached the disk. */
  readonly flushed: Promise<void>;
  readonly result: MadeCheckpoint;
  readonly announcement: Announcement | undefined;
}

const NOTHING_ADDED: Completion = { git: null, assumptions: [] };

/** Waits for both, also where one has failed: nothing is taken away while the other still uses it. */
async function bothOf<A, B>(a: A | Promise<A>, b: B | Promise<B>): Promise<readonly [A, B]> {
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
