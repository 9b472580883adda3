import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Conditions } from "../conditions.ts";
import type { Ratios } from "./compare.ts";
import type { Row } from "./rows.ts";

const FILE = fileURLToPath(new URL("../recorded.json", import.meta.url));

/** The ratios that a check compares with; none before the first record. */
export function readRecorded(): Ratios {
  if (!existsSync(FILE)) return { time: {}, memory: {} };
  return JSON.parse(readFileSync(FILE, "utf8")) as Ratios;
}

/** Keeps the ratios of a run for later checks. */
export function writeRecorded(ratios: Ratios, { at, node, git, system, processors }: Conditions): void {
  writeFileSync(FILE, `${JSON.stringify({ conditions: { at, node, git, system, processors }, ...ratios }, null, 2)}\n`);
}

/** The hook's ratios, by case. */
export function ratiosOf(rows: readonly Row[]): Ratios {
  const ours = rows.filter(({ kind }) => kind === "hook");
  return {
    time: Object.fromEntries(ours.map(({ id, pairedRatio }) => [id, rounded(pairedRatio)])),
    memory: Object.fromEntries(
      ours.flatMap(({ id, peakRatio }) => (peakRatio === null ? [] : [[id, rounded(peakRatio)]])),
    ),
  };
}

function rounded(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
