import { statSync } from "node:fs";
import { findPlace, type Place, type PlaceOptions } from "../place.ts";
import { shellQuote } from "../create/shell-quote.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type BytePath, decodePath, diskPath, isWithin } from "../paths/byte-path.ts";
import { sensitiveName } from "../sensitive/sensitive-names.ts";
import { listManifests, loadTree } from "../store/load-checkpoint.ts";
import { troubleOf } from "../trouble.ts";
import { isHarmless } from "./is-harmless.ts";
import { placeIn } from "./place-in.ts";

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
 * Judges a call that changes something: it may run where a fresh checkpoint covers what it changes.
 * What lies outside the protected folder, and what no checkpoint can hold, is none of the gate's business.
 */
export async function judgeCall({ tool, target }: GatedCall, options: GateOptions): Promise<CallVerdict> {
  if (target.kind === "shell" && isHarmless(target.command)) return ALLOWED;
  const place = await findPlace(options).catch((error: unknown) => {
    if (troubleOf(error) === null) throw error;
    return null;
  });
  // A home folder or the root of the disk is never captured, so nothing can be asked for there.
  if (place === null) return ALLOWED;
  const fresh = freshCheckpoints(place, options);
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
  const open = paths.filter((path) => isCapturable(path, place) && !isCovered(path, fresh, place));
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

/** The checkpoints of this folder that somebody asked for, whole and not too old, the newest first. */
function freshCheckpoints({ layout, root }: Place, { now, freshMinutes }: GateOptions): readonly Manifest[] {
  const since = new Date(now.getTime() - freshMinutes * 60_000).toISOString();
  return listManifests(layout)
    .flatMap((found) => ("damage" in found ? [] : [found.manifest]))
    .filter(({ root: of, purpose, createdAt }) => of === root && purpose === "asked" && createdAt >= since)
    .filter(({ type }) => type === "git_stash" || type === "file_backup")
    .toReversed();
}

/** Whether a checkpoint could hold a path at all: not what we and git keep, nor what is sensitive by its name. */
function isCapturable(path: BytePath, { avoid }: Place): boolean {
  if (path === "" || path.split("/").includes(".git") || sensitiveName(path) !== null) return false;
  return ![...avoid].some((own) => isWithin(path, own));
}

function isCovered(path: BytePath, fresh: readonly Manifest[], place: Place): boolean {
  return fresh.some((manifest) => {
    const areas = manifest.scope.flatMap((item) => (item.kind === "path" ? [decodePath(item.path)] : []));
    const leftOut = [...manifest.excluded, ...manifest.skipped].map((omission) => decodePath(omission.path));
    // It was tried, and cannot be held.
    if (leftOut.some((left) => isWithin(path, left))) return true;
    if (entriesOf(manifest, place).some((entry) => entry.path === path && entry.type !== "directory")) return true;
    return areas.some((area) => isWithin(path, area)) && hasAppearedSince(path, manifest, place);
  });
}

/** What a checkpoint holds; one that is damaged covers nothing. */
function entriesOf(manifest: Manifest, { layout }: Place): readonly Entry[] {
  try {
    return loadTree(layout, manifest);
  } catch (error) {
    if (troubleOf(error) === null) throw error;
    return [];
  }
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
