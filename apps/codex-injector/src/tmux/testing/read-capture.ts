import { readdirSync, readFileSync } from "node:fs";
import type { PaneFacts } from "../judge-pane.ts";

const FOLDER = new URL("../captures/", import.meta.url);

/** The names of the recorded screens: Codex's version and what it shows. */
export const CAPTURES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".txt"))
  .map((name) => name.slice(0, -".txt".length))
  .sort();

/** Reads a recorded screen: its first line has the facts, the rest is what `capture-pane -p -e` printed. */
export function readCapture(name: string, changed: Partial<PaneFacts> = {}): PaneFacts {
  const text = readFileSync(new URL(`${name}.txt`, FOLDER), "utf8");
  const end = text.indexOf("\n");
  const facts = JSON.parse(text.slice(0, end)) as RecordedFacts;
  return { ...NOT_RECORDED, ...facts, screen: text.slice(end + 1), ...changed };
}

type RecordedFacts = Omit<PaneFacts, keyof typeof NOT_RECORDED | "screen">;

const NOT_RECORDED = {
  id: "%0",
  pid: 1,
  path: "/home/dev/project",
  isInputOff: false,
  isSynchronized: false,
  takesBracketedPaste: null,
  fingerprint: "",
} as const;
