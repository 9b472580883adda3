import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { move } from "@agent-checkpoint/files";
import { makeCheckpoint } from "../create/make-checkpoint.ts";
import { outputOf, storeGit } from "../git.ts";
import { findKind } from "../find-kind.ts";
import { type Entry, hashEntries, isSameState, type Manifest } from "../manifest.ts";
import type { Contents } from "../objects.ts";
import { namePaths } from "../paths.ts";
import type { Context, SafetyOptions } from "../place.ts";
import { abandonRestores, makeChanges, recover } from "../recover.ts";
import { type Checkpoint, loadCheckpoint, refOf, refuseUnknown, withStore } from "../store.ts";
import { refuseOtherTypes, SafetyError, type Trouble } from "../trouble.ts";
import { perform, writeMirror } from "../workspace.ts";
import { type Activity, findForeign, refuseForeign } from "./find-foreign.ts";
import {
  foldersToLoosen,
  type PreparedRestore,
  prepareRestore,
  refuseFullDisk,
  refuseUnreachable,
  type RestorePlan,
} from "./plan.ts";
import { reportRestore, type RestoreReport } from "./restore-report.ts";

export interface RestoreRequest {
  readonly id: string;
  /** Only these files, folders or globs of the checkpoint. */
  readonly scope?: readonly string[];
  /** Shows the plan and changes nothing. */
  readonly dryRun?: boolean;
  /** Restores over what someone else has changed; the undo checkpoint keeps it. */
  readonly force?: boolean;
  /** Removes what has appeared in scope since; the undo checkpoint keeps it. */
  readonly removeNew?: boolean;
  readonly allowExpired?: boolean;
  /** When tools of agents ran since a checkpoint, null if that is not known: what changed at another time is someone else's. */
  readonly activityOf?: (checkpoint: Manifest) => Promise<Activity | null>;
}

/** The result of a restore: done, planned only, or why nothing was changed. */
export type RestoreResult = Restored | Trouble;

interface Restored {
  readonly status: "restored" | "planned";
  readonly report: RestoreReport;
  readonly notes: readonly string[];
}

/** Restores a snapshot: verifies everything first, captures what it touches in an undo snapshot, and compares the result. */
export async function restoreCheckpoint(request: RestoreRequest, options: SafetyOptions): Promise<RestoreResult> {
  return perform<Restored>(
    options,
    async (context, contents) => {
      refuseRequest(request, context);
      if (request.dryRun === true)
        return { status: "planned", report: await plan(request, context, contents), notes: [] };
      return withStore(context, async () => {
        const notes = await recover(context, contents);
        return { status: "restored", report: await restore(request, context, contents), notes };
      });
    },
    ({ status, report }) => status === "restored" && !report.verification.match,
  );
}

function refuseRequest(request: RestoreRequest, { place }: Context): void {
  const flags = { dryRun: "boolean?", force: "boolean?", removeNew: "boolean?", allowExpired: "boolean?" } as const;
  refuseOtherTypes("request", request, { id: "string", scope: "strings?", activityOf: "function?", ...flags });
  refuseUnknown(place.layout, request.id);
}

/** What a restore would change: `found` if it would change something. */
export type DiffResult = { readonly status: "same" | "found"; readonly report: RestoreReport } | Trouble;

/** Compares a checkpoint, expired or not, with what is there now. */
export async function diffCheckpoint(
  request: Pick<RestoreRequest, "id" | "scope">,
  options: SafetyOptions,
): Promise<DiffResult> {
  return perform(options, async (context, contents) => {
    refuseRequest(request, context);
    const report = await plan({ ...request, allowExpired: true }, context, contents);
    return { status: report.changes_reverted.length === 0 ? ("same" as const) : ("found" as const), report };
  });
}

/** The difference between a snapshot and the files now, as git writes it: what has happened since. */
export async function textDiff(
  { id, form }: { readonly id: string; readonly form: "stat" | "patch" },
  options: SafetyOptions,
): Promise<{ readonly status: "shown"; readonly text: string } | Trouble> {
  return perform(options, async ({ place: { layout, root } }) => {
    refuseOtherTypes("request", { id }, { id: "string" });
    if (!["stat", "patch"].includes(form)) throw new SafetyError("bad-input", "`form` must be `stat` or `patch`.");
    refuseUnknown(layout, id);
    const folder = mkdtempSync(join(layout.tmp, "diff-"));
    const env = { GIT_WORK_TREE: root, GIT_INDEX_FILE: join(folder, "index") };
    try {
      outputOf(await storeGit(layout, ["read-tree", refOf(id)], { env }));
      // The canonical stream is in the tree, and on no disk.
      outputOf(await storeGit(layout, ["rm", "--cached", "--quiet", "-r", "--", ".checkpoints"], { cwd: root, env }));
      const args = ["diff-files", "--no-ext-diff", "--no-color", form === "stat" ? "--stat" : "--patch"];
      const text = outputOf(await storeGit(layout, args, { cwd: root, env })).toString("utf8");
      return { status: "shown" as const, text };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** What a restore would do. */
async function plan(request: RestoreRequest, context: Context, contents: Contents): Promise<RestoreReport> {
  const prepared = await prepareRestore(request, context, contents);
  const foreign = await findForeign(prepared, request, context, contents);
  return reportRestore({ ...prepared, foreign, post: prepared.look.now, undo: null });
}

async function restore(request: RestoreRequest, context: Context, contents: Contents): Promise<RestoreReport> {
  const prepared = await prepareRestore(request, context, contents);
  const { checkpoint, look, plan: planned } = prepared;
  const { place, step } = context;
  if (planned.inTheWay.length > 0) {
    const what = `In the place of a file there is a folder with files: ${namePaths(planned.inTheWay)}.`;
    throw new SafetyError("in-the-way", what, "Move it away, or give --remove-new.");
  }
  const foreign = await findForeign(prepared, request, context, contents);
  if (planned.changes.length === 0) return reportRestore({ ...prepared, foreign, post: look.now, undo: null });
  if (request.force !== true) refuseForeign(foreign);
  refuseUnreachable(planned.changes, place.root);
  refuseFullDisk(planned.changes, place.root);
  step("planned");
  const undo = await keepForUndo(checkpoint, planned, context, contents);
  step("kept");
  const changes = [...planned.changes, ...foldersToLoosen(planned.changes, place.root)];
  await makeChanges(changes, { checkpoint: checkpoint.manifest, undo: undo.id }, context, contents);
  const post = await lookAgain(prepared, context);
  writeMirror(undo, place.layout);
  return reportRestore({ ...prepared, foreign, post, undo });
}

/** What is there now: what was changed is looked at once more, the rest was looked at before. */
async function lookAgain(
  { checkpoint, wanted, look, plan: planned }: PreparedRestore,
  context: Context,
): Promise<readonly Entry[]> {
  const changed = new Set(planned.changes.map(({ to }) => to.path));
  // A look at these very paths, as at what a restore has kept, lists nothing else.
  const manifest = { ...checkpoint.manifest, purpose: "undo" as const };
  const again = await findKind(manifest.type).look(
    manifest,
    wanted.filter(({ path }) => changed.has(path)),
    context,
  );
  const found = new Map(again.now.map((entry) => [entry.path, entry]));
  return look.now.map((entry) => found.get(entry.path) ?? entry);
}

/** A snapshot of exactly what the restore will touch; what cannot be captured is not touched. */
async function keepForUndo(
  { manifest }: Checkpoint,
  { changes }: RestorePlan,
  context: Context,
  contents: Contents,
): Promise<Manifest> {
  const undo = await makeCheckpoint(
    {
      scope: [],
      exactly: changes.map(({ to }) => to.path),
      reason: `before the restore of ${manifest.id}`,
      type: manifest.type,
      expiresAt: new Date(context.now().getTime() + context.undoDays * 86_400_000),
      purpose: "undo",
    },
    context,
    contents,
  );
  const kept = new Map(undo.entries.map((entry) => [entry.path, entry]));
  const lost = changes.filter(({ from }) => {
    const entry = kept.get(from.path);
    return entry === undefined || (from.type !== "directory" && !isSameState(entry, from));
  });
  if (lost.length === 0) return undo.manifest;
  const what = `What is there now cannot be kept, or is changing: ${namePaths(lost.map(({ from }) => from.path))}.`;
  throw new SafetyError("not-undoable", what, "Nothing was changed. Move it away and restore again.");
}

/** Gives up the interrupted restores of this work tree. */
export async function abandonRestore(
  options: SafetyOptions,
): Promise<{ readonly status: "abandoned"; readonly notes: readonly string[] } | Trouble> {
  return perform(options, async (context) => {
    const { layout } = context.place;
    if (!existsSync(layout.repository))
      throw new SafetyError("unknown-checkpoint", `There is no store at ${layout.folder}.`, "Add --root or --store.");
    return withStore(context, async () => ({ status: "abandoned" as const, notes: abandonRestores(context.place) }));
  });
}

/** What was written into a folder beside the workspace. */
export interface IntoResult {
  readonly status: "written";
  readonly id: string;
  readonly folder: string;
  readonly entries: number;
  readonly hash: string;
  readonly match: boolean;
}

/** Writes a snapshot into an empty or new folder, whatever happened to its original place. */
export async function restoreInto(id: string, folder: string, options: SafetyOptions): Promise<IntoResult | Trouble> {
  return perform<IntoResult>(
    options,
    async (context, contents) => {
      refuseOtherTypes("request", { id, folder }, { id: "string", folder: "string" });
      const { place } = context;
      const target = resolve(place.cwd, folder);
      if (existsSync(target) && readdirSync(target).length > 0)
        throw new SafetyError("in-the-way", `\`${target}\` is not empty.`, "Name an empty or a new folder.");
      const { manifest, entries } = await loadCheckpoint(place.layout, id, contents);
      const draft = `${target}.${process.pid}.draft`;
      try {
        mkdirSync(draft, { recursive: true, mode: 0o700 });
        const kind = findKind(manifest.type);
        const written = await (kind.writeOut ?? kind.drill)({ folder: draft, entries, contents }, context);
        const hash = hashEntries(written);
        if (existsSync(target)) rmdirSync(target);
        move(join(draft, "files"), target);
        return { status: "written", id, folder: target, entries: entries.length, hash, match: hash === manifest.tree };
      } finally {
        rmSync(draft, { recursive: true, force: true });
      }
    },
    ({ match }) => !match,
  );
}
