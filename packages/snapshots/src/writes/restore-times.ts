import { readFileSync } from "node:fs";
import type { StoreLayout } from "../store/store-layout.ts";
import { appendLine } from "../workspace/append-line.ts";
import { writesPath } from "./read-writes.ts";

/** When a restore wrote to its files, and the checkpoint that holds just those as they were before. */
export interface RestoreTime {
  readonly from: Date;
  readonly to: Date;
  readonly undo: string;
}

/** Records when a restore wrote below a root, so that what it left there is not taken for somebody's work. */
export function noteRestore(layout: StoreLayout, root: string, { from, to, undo }: RestoreTime): void {
  const widened = { from: new Date(from.getTime() - GRAIN_MS), to: new Date(to.getTime() + GRAIN_MS), undo };
  appendLine(restoresPath(layout, root), JSON.stringify(widened));
}

/** File systems give times from a clock of their own, which goes in ticks. */
const GRAIN_MS = 50;

/** When restores wrote below a root; a torn line is passed over. */
export function readRestores(layout: StoreLayout, root: string): readonly RestoreTime[] {
  let text: string;
  try {
    text = readFileSync(restoresPath(layout, root), "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [, from, to, undo] = /^\{"from":"([^"]+)","to":"([^"]+)","undo":"([^"]+)"\}$/.exec(line) ?? [];
    if (from === undefined || to === undefined || undo === undefined) return [];
    return [{ from: new Date(from), to: new Date(to), undo }];
  });
}

function restoresPath(layout: StoreLayout, root: string): string {
  return writesPath(layout, root).replace(/\.jsonl$/, ".restores.jsonl");
}
