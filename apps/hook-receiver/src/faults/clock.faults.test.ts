import { describe, test, vi } from "vitest";
import { reasonOf } from "../testing/hook-process.ts";
import { logLines } from "../testing/log-lines.ts";
import { openSqlite } from "../testing/sqlite.ts";
import { ROW_BEFORE, ROW_NOW, SILENCE, stageFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** What happens, and when by the clock. */
interface Moment {
  readonly at: string;
  readonly event: "prompt" | "stop";
  readonly changes: object;
}

const prompt = (at: string, changes: object = {}): Moment => ({ at, event: "prompt", changes });
const stop = (at: string, changes: object = {}): Moment => ({ at, event: "stop", changes });

const next = { prompt_id: "turn-next" };
const other = { session_id: "other", prompt_id: "turn-of-other" };

const sequences = [
  {
    clock: "goes back before the prompt: too soon, until it has caught up",
    moments: [
      prompt("2026-03-02T09:00:00Z"),
      stop("2026-03-02T08:00:00Z"),
      stop("1970-01-01T00:00:00Z"),
      stop("2026-03-02T09:04:00Z"),
    ],
    rows: ["now: pass timer", "now: pass timer", "now: block missing-actions"],
  },
  {
    clock: "was at 1970 when the prompt came",
    moments: [prompt("1970-01-01T00:00:00Z"), stop("2026-03-02T09:04:00Z"), stop("2026-03-02T09:10:00Z")],
    rows: ["now: block missing-actions", "now: pass already-blocked"],
  },
  {
    clock: "was at 2100 when the prompt came: too soon, until the next prompt",
    moments: [
      prompt("2100-01-01T00:00:00Z"),
      stop("2026-03-02T09:04:00Z"),
      prompt("2026-03-02T09:10:00Z", next),
      stop("2026-03-02T09:20:00Z", next),
    ],
    rows: ["now: pass timer", "now: block missing-actions"],
  },
  {
    clock: "is at 2100 for one stop: what was recorded before stays, and no turn is blocked twice",
    moments: [
      prompt("2026-03-02T09:00:00Z"),
      stop("2026-03-02T09:04:00Z"),
      prompt("2100-01-01T00:00:00Z", other),
      stop("2100-01-01T00:10:00Z", other),
      stop("2026-03-02T09:30:00Z"),
    ],
    rows: ["now: block missing-actions", "other: block missing-actions", "now: pass already-blocked"],
  },
  {
    clock: "goes back after the block: the record counts, not the time",
    moments: [
      prompt("2026-03-02T09:00:00Z"),
      stop("2026-03-02T09:04:00Z"),
      stop("1970-01-01T00:00:01Z"),
      stop("2026-03-02T08:00:00Z"),
    ],
    rows: ["now: block missing-actions", "now: pass already-blocked", "now: pass already-blocked"],
  },
  {
    clock: "stands still",
    moments: [prompt("2026-03-02T09:00:00Z"), stop("2026-03-02T09:00:00Z"), stop("2026-03-02T09:00:00Z")],
    rows: ["now: pass timer", "now: pass timer"],
  },
];

describe("the clock", () => {
  test.concurrent.for(sequences)("$clock", async ({ moments, rows }, { expect: expectHere }) => {
    const staged = await stageFault();
    for (const { at, event, changes } of moments) {
      const answer = await staged[event]({ at: new Date(at), event: changes });
      expectHere({ ...answer, stdout: "" }).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    }
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ...rows]);
    expectHere(logLines(staged.home)).toEqual([]);
  });

  test.concurrent("is at 2100 at the first look for old records: none is deleted, and no turn is blocked twice", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    const sqlite = openSqlite(staged.database);
    sqlite.exec("DELETE FROM meta");
    sqlite.close();
    await staged.stop({ at: new Date("2100-01-01T00:10:00Z"), event: other });
    expectHere(await staged.stop()).toEqual(SILENCE);
    expectHere(storedStops(staged.database)).toEqual(expectHere.arrayContaining([ROW_BEFORE, ROW_NOW]));
  });

  test.concurrent("cannot be read from a fixed time that is none: the system's counts", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    expectHere(reasonOf(await staged.stop({ env: { CHECKPOINT_NOW: "yesterday" } }))).toContain("make restart");
    expectHere(storedStops(staged.database)).toContain(ROW_NOW);
  });
});
