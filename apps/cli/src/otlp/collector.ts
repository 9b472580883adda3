import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensureHome, errorMessage, readSmallFile, withLock, writeWhole } from "@agent-checkpoint/files";
import type { Store } from "@agent-checkpoint/store";
import * as v from "valibot";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { exportOtlp, type OtlpTarget, type SignalReport } from "./export-otlp.ts";

/** The collector that a person has every sync send to. It lies in the person's own home, where no repository can put it. */
export interface Collector extends Pick<OtlpTarget, "endpoint" | "headers" | "hasNames" | "timeoutMs"> {
  /** The program that the hook starts to send rows. */
  readonly program: readonly string[];
}

const collectorSchema: v.GenericSchema<unknown, Collector> = v.object({
  endpoint: v.pipe(v.string(), v.url()),
  headers: v.record(v.string(), v.string()),
  hasNames: v.boolean(),
  timeoutMs: v.number(),
  program: v.array(v.string()),
});

/** The file that the hook looks for, beside the one of a team. */
const FILE = "otlp.json";
const MAX_BYTES = 100_000;

/** Reads the collector of a home; null if none was named. */
export function readCollector(home: string): Collector | null {
  const path = join(home, FILE);
  const file = readSmallFile(path, MAX_BYTES);
  if (!file.ok && file.reason === "missing") return null;
  try {
    if (!file.ok) throw new Error(file.detail);
    return v.parse(collectorSchema, JSON.parse(file.bytes.toString("utf8")));
  } catch (error) {
    throw refused(`${path} cannot be used: ${errorMessage(error)}`, "`checkpoint export otlp --forget`, then --keep.");
  }
}

/** Keeps a collector, readable by its person alone: its headers may hold a token. */
export function keepCollector(home: string, collector: Collector): void {
  ensureHome(home);
  writeWhole(join(home, FILE), `${JSON.stringify(collector, null, 2)}\n`, { mode: 0o600 });
}

export function forgetCollector(home: string): void {
  rmSync(join(home, FILE), { force: true });
}

const WAIT_MS = 5000;
const STALE_MS = 10 * 60 * 1000;

/** Sends what a collector has not taken yet; of several processes one at a time, or both would send the same rows. */
export async function sendToCollector(
  store: Store,
  target: OtlpTarget,
  { home }: Pick<CommandContext, "home">,
): Promise<readonly SignalReport[]> {
  const options = { waitMs: WAIT_MS, staleAfterMs: STALE_MS };
  const sent = await withLock(join(home, "otlp.lock"), options, () => exportOtlp(store, target));
  if (sent.ok) return sent.value;
  return [
    { signal: "logs", url: target.endpoint, rows: 0, requests: 0, rejected: 0, problem: "another process is sending" },
  ];
}
