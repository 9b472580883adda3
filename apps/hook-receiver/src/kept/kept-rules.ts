import { join } from "node:path";
import type { Rules } from "@agent-checkpoint/categories";
import type { KeptRules } from "@agent-checkpoint/composer";
import { redactJson } from "@agent-checkpoint/redaction";
import { BUILD_NAME } from "../build-name.ts";
import { readKept, writeKept } from "./kept-file.ts";
import { keptFolder, removeOld } from "./kept-folder.ts";
import { shortDigest } from "./short-digest.ts";

/** Longer than any config that is worth keeping. */
const MOST_CHARACTERS = 100_000;

/** Rules that are kept, and whether there was a config to ask for. */
export interface HookKeptRules extends KeptRules {
  readonly wasAsked: () => boolean;
}

/** What the configs of a home came to before; nothing is kept by a program that runs from its sources, which may change. */
export function keptRulesIn(home: string): HookKeptRules | undefined {
  return BUILD_NAME === null ? undefined : createKeptRules(home, BUILD_NAME);
}

/**
 * Keeps in a home what configs come to, so that what reads and checks a config is loaded only when it changes.
 * Another build may make other rules of the same config, so each has its own.
 */
export function createKeptRules(home: string, build: string): HookKeptRules {
  let wasAsked = false;
  return {
    wasAsked: () => wasAsked,
    find: (texts) => {
      wasAsked = true;
      const folder = keptFolder(home);
      if (folder === null) return null;
      const source = sourceOf(texts);
      const kept = readKept(pathOf(folder, source), Buffer.from(source));
      return kept === null ? null : parsed(kept.made);
    },
    keep: (texts, rules) => {
      const folder = keptFolder(home);
      // A secret stays where its owner has put it, however that is spelt.
      const source = sourceOf(texts);
      const isKept = source.length <= MOST_CHARACTERS && !holdsSecret(texts) && !holdsSecret(rules);
      if (folder === null || !isKept) return;
      try {
        removeOld(folder, Date.now());
        const made = Buffer.from(JSON.stringify(rules));
        writeKept(pathOf(folder, source), Buffer.from(source), { made, uses: [] });
      } catch {
        // A full disk, or a home that cannot be written to: they are made again the next time.
      }
    },
  };

  function sourceOf(texts: readonly string[]): string {
    return JSON.stringify([build, ...texts]);
  }
}

function parsed(json: Buffer): Rules | null {
  try {
    return JSON.parse(json.toString("utf8")) as Rules;
  } catch {
    return null;
  }
}

function holdsSecret(value: unknown): boolean {
  return JSON.stringify(redactJson(value)) !== JSON.stringify(value);
}

/** How many characters of a source name its file: all of them would take longer than reading it. */
const SAMPLES = 64;

/** Where the rules of a source are kept; of sources that differ in few places, the last one has the file. */
function pathOf(folder: string, source: string): string {
  const step = Math.ceil(source.length / SAMPLES);
  let sample = "";
  for (let at = 0; at < source.length; at += step) sample += source.charAt(at);
  return join(folder, `rules-${source.length.toString(36)}-${shortDigest(sample)}`);
}
