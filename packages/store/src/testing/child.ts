import { readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { answerJobs, fillDisk } from "../../../../fixtures/src/answer-jobs.ts";
import { appendLog, openStore, StoreError, type Store } from "../index.ts";
import { aStop } from "./a-stop.ts";

type Job = (home: string, ...rest: string[]) => Promise<unknown>;

const JOBS: Readonly<Record<string, Job>> = {
  /** Claims the block of a turn. */
  claim: (home, sessionId = "", ...turns) =>
    withStore(home, (store) =>
      store.stops.claimBlock({
        agent: "claude",
        sessionId,
        turns,
        at: new Date(),
        stop: aStop({ reason: "actions-missing" }),
      }),
    ),

  /** Claims the block of a turn, and says why if it cannot. */
  "try-claim": async (home, ...rest) => JOBS["claim"]?.(home, ...rest).catch(reasonOf),

  /** Records a stop, and opens the store again as long as it is found corrupt. */
  stop: async (home, sessionId = "") => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const outcome = await withStore(home, (store) => store.stops.record(aStop({ sessionId }))).catch(reasonOf);
      if (outcome !== "corrupt") return outcome ?? "recorded";
    }
    return "corrupt";
  },

  /** Writes long lines to the log, and looks after each whether the log that was rotated last is a full one. */
  log: async (home, count = "1") => {
    const rotated = join(home, "checkpoint.log.1");
    let short = 0;
    for (let number = 0; number < Number(count); number += 1) {
      appendLog(home, { level: "info", event: "x", detail: "y".repeat(2000) });
      const size = statSync(rotated, { throwIfNoEntry: false })?.size ?? Infinity;
      if (size < 5_000_000) short += 1;
    }
    return { short };
  },

  /** Writes what needs no database, and says whether SQLite was loaded for it. */
  "write-lightly": async (home) => {
    appendLog(home, { level: "info", event: "x" });
    return isSqliteLoaded();
  },

  /** Tries everything as a user who may not write. */
  "write-forbidden": async (home, elsewhere = "") => {
    // Loads what the other user may not be allowed to read.
    await withStore(elsewhere, async () => {});
    if (process.getuid?.() === 0) process.seteuid?.(65_534);
    return tryEverything(home);
  },

  /** Fills the disk the home is on, tries everything, makes room and tries again. */
  "write-when-full": async (home) => {
    await withStore(home, (store) => store.stops.record(aStop({ reason: "before" })));
    const filler = join(home, "filler");
    fillDisk(filler);
    const whenFull = { used: await tryEverything(home), fresh: await tryEverything(join(home, "fresh")) };
    rmSync(filler);
    const later = await tryEverything(home);
    const reasons = await withStore(home, async (store) => (await store.stops.list()).map(({ reason }) => reason));
    return { whenFull, later, reasons, strange: readdirSync(home).filter((name) => name.includes("corrupt")) };
  },
};

async function withStore<Result>(home: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  // Each process waits for its turn as long as the hook does, whatever else the machine has to do.
  const result = await openStore(home, { busyTimeoutMs: 5000 });
  if (!result.ok) throw new StoreError(result.reason, result.detail);
  try {
    return await use(result.store);
  } finally {
    await result.store.close();
  }
}

async function tryEverything(home: string): Promise<Record<string, unknown>> {
  return {
    record: (await withStore(home, (store) => store.stops.record(aStop())).catch(reasonOf)) ?? "recorded",
    log: appendLog(home, { level: "info", event: "x" }),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof StoreError) return error.reason;
  throw error;
}

function isSqliteLoaded(): boolean {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
  const loaded = [...moduleLoadList, ...Object.keys(createRequire(import.meta.url).cache)];
  return loaded.some((name) => name === "NativeModule sqlite");
}

answerJobs(JOBS);
