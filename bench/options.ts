import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Build } from "./hook-cases.ts";

/** What a run is to measure, and what for. */
export interface Options {
  /** Ids of candidates, or their first words; null for all. */
  readonly only: readonly string[] | null;
  readonly rounds: number;
  readonly memoryRounds: number;
  readonly builds: readonly Build[];
  /** Whether the largest transcript and repository and the alternatives are left out. */
  readonly isQuick: boolean;
  readonly hasAlternatives: boolean;
  readonly task: "measure" | "check" | "record";
  /** Where the figures are written. */
  readonly json: string;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Reads the command line. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      only: { type: "string" },
      rounds: { type: "string" },
      "memory-rounds": { type: "string" },
      hook: { type: "string", multiple: true },
      quick: { type: "boolean", default: false },
      alternatives: { type: "boolean", default: true },
      check: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      json: { type: "string", default: here("results/hook.json") },
    },
  });
  const task = values.check ? "check" : values.record ? "record" : "measure";
  const programs = values.hook ?? [here("../apps/hook-receiver/dist/checkpoint-hook.cjs")];
  return {
    only: values.only?.split(",") ?? null,
    rounds: Number(values.rounds ?? (values.quick ? 15 : 40)),
    memoryRounds: Number(values["memory-rounds"] ?? (values.quick ? 3 : 5)),
    builds: programs.map((program, index) => ({
      name: programs.length === 1 ? "" : `${index + 1}`,
      program: resolve(program),
    })),
    isQuick: values.quick,
    hasAlternatives: values.alternatives && !values.quick && task === "measure",
    task,
    json: resolve(values.json),
  };
}
