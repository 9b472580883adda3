import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { shellQuote } from "../report.ts";
import type { Manifest } from "../manifest.ts";
import { type Contents, openContents } from "../objects.ts";
import { type BytePath, decodePath, diskPath, isInside, isWithinAny, toBytePath } from "../paths.ts";
import { findPlace, isOfPlace, type Place, type PlaceOptions } from "../place.ts";
import { sensitiveName } from "../sensitive-names.ts";
import { listManifests, loadEntries } from "../store.ts";
import { troubleOf } from "../trouble.ts";
import { isHarmless } from "./is-harmless.ts";

/** What a tool is about to change: files, or whatever a command of a shell changes. */
export type CallTarget =
  | { readonly kind: "files"; readonly files: readonly string[] }
  | { readonly kind: "shell"; readonly command: string };

/** A call of a tool that has not run yet. */
export interface GatedCall {
  /** The agent's name of the tool. */
  readonly tool: string;
  readonly target: CallTarget;
}

export interface GateOptions extends PlaceOptions {
  /** How old a checkpoint may be. */
  readonly freshMinutes: number;
  readonly now: Date;
  /** The words that start the program, for the command that is printed. */
  readonly program: readonly string[];
}

/** Whether a call may run, or what has to be done first. */
export type CallVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * Judges a call that changes something: it may run if a fresh snapshot covers what it changes.
 * What lies outside the protected folder, and what no checkpoint can hold, is none of the gate's business.
 */
export async function judgeCall({ tool, target }: GatedCall, options: GateOptions): Promise<CallVerdict> {
  if (target.kind === "shell" && isHarmless(target.command)) return ALLOWED;
  const place = await findPlace(options).catch(troubleOf);
  // A home folder or the root of the disk is never captured, so nothing can be asked for there.
  if ("code" in place) return ALLOWED;
  const fresh = await freshCheckpoints(place, options);
  if (target.kind === "shell") {
    if (fresh.some(({ scope }) => scope.some((item) => item.kind === "path" && item.path === ""))) return ALLOWED;
    return deny(`${OPEN_SHELL}, and there is none of the last ${options.freshMinutes} minutes.`, {
      tool,
      scope: [place.root],
      place,
      options,
    });
  }
  const paths = target.files.flatMap((file) => placeIn(place.root, file, options.cwd) ?? []);
  const open = await uncovered(
    paths.filter((path) => isCapturable(path, place)),
    fresh,
    place,
  );
  if (open.length === 0) return ALLOWED;
  const names = open.map((path) => `\`${Buffer.from(path, "latin1").toString("utf8")}\``).join(", ");
  return deny(`No checkpoint of the last ${options.freshMinutes} minutes covers ${names}.`, {
    tool,
    scope: open.map((path) => diskPath(place.root, path).toString()),
    place,
    options,
  });
}

const ALLOWED: CallVerdict = { allowed: true };

const OPEN_SHELL =
  "What a shell command changes cannot be known before it runs, so it takes a checkpoint of the whole workspace";

/** The requested snapshots of this folder, intact and not too old, newest first. */
async function freshCheckpoints(place: Place, { now, freshMinutes }: GateOptions): Promise<readonly Manifest[]> {
  const since = new Date(now.getTime() - freshMinutes * 60_000).toISOString();
  return (await listManifests(place.layout))
    .flatMap((found) => ("damage" in found ? [] : [found.manifest]))
    .filter((manifest) => isOfPlace(manifest, place))
    .filter(({ purpose, createdAt }) => purpose === "asked" && createdAt >= since)
    .filter(({ type }) => type === "git_stash" || type === "file_backup")
    .toReversed();
}

/** Whether a checkpoint could hold a path at all: not what we and git keep, nor what is sensitive by its name. */
function isCapturable(path: BytePath, { avoid }: Place): boolean {
  if (path === "" || path.split("/").includes(".git") || sensitiveName(path) !== null) return false;
  return !isWithinAny(path, avoid);
}

/** The paths that no fresh snapshot covers. */
async function uncovered(
  paths: readonly BytePath[],
  fresh: readonly Manifest[],
  place: Place,
): Promise<readonly BytePath[]> {
  let open = paths;
  const contents = openContents(place.layout);
  try {
    for (const manifest of fresh) {
      if (open.length === 0) return open;
      const held = await heldBy(manifest, contents);
      open = open.filter((path) => !isCovered(path, manifest, { held, place }));
    }
    return open;
  } finally {
    contents.close();
  }
}

function isCovered(
  path: BytePath,
  manifest: Manifest,
  { held, place }: { readonly held: ReadonlySet<BytePath>; readonly place: Place },
): boolean {
  const areas = manifest.scope.flatMap((item) => (item.kind === "path" ? [decodePath(item.path)] : []));
  const leftOut = [...manifest.excluded, ...manifest.skipped].map((omission) => decodePath(omission.path));
  // What was tried and cannot be held is covered as well as it can be.
  if (held.has(path) || isWithinAny(path, leftOut)) return true;
  return isWithinAny(path, areas) && hasAppearedSince(path, manifest, place);
}

/** The paths that a snapshot holds; one that is damaged covers nothing. */
async function heldBy(manifest: Manifest, contents: Contents): Promise<ReadonlySet<BytePath>> {
  const entries = await loadEntries(manifest, contents).catch(troubleOf);
  return new Set("code" in entries ? [] : entries.flatMap(({ path, type }) => (type === "directory" ? [] : [path])));
}

/** Whether a file in a captured folder is not there yet or was made later: a restore knows it for new. */
function hasAppearedSince(path: BytePath, { createdAt }: Manifest, { root }: Place): boolean {
  const stats = statSync(diskPath(root, path), { throwIfNoEntry: false });
  return stats === undefined || stats.birthtimeMs >= new Date(createdAt).getTime();
}

interface Denial {
  readonly tool: string;
  readonly scope: readonly string[];
  readonly place: Place;
  readonly options: GateOptions;
}

function deny(why: string, { tool, scope, place, options }: Denial): CallVerdict {
  const words = [
    ...options.program,
    "snapshot",
    "create",
    ...scope,
    "--root",
    place.root,
    "--reason",
    `before ${tool}`,
    "--allow-absent",
  ];
  return {
    allowed: false,
    reason: [
      `${why} Make one, then try again:`,
      "",
      `    ${words.map((word) => shellQuote(word)).join(" ")}`,
      "",
      "It changes nothing, and prints the command that brings everything back. If it cannot be made, tell the user: `safety.gate` in checkpoint.config.json switches this off.",
    ].join("\n"),
  };
}

/** Where a file lies below a root, whatever links lead there; null if it lies elsewhere. */
function placeIn(root: string, file: string, cwd: string): BytePath | null {
  const real = realFolder(resolve(cwd, file));
  return isInside(real, root) ? toBytePath(relative(root, real)) : null;
}

/** A path with the links in the folders above it resolved, as far as they exist; the file itself may be a link. */
function realFolder(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(realpathSync(folder), basename(path));
  } catch {
    return join(realFolder(folder), basename(path));
  }
}
