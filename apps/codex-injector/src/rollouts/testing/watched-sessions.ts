import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, relative } from "node:path";
import { vi } from "vitest";
import { type RolloutWatchOptions, watchRollouts } from "../watch-rollouts.ts";
import { summarise } from "../../../../../packages/transcript/src/formats/codex/testing/summarise.ts";
import { newFolder } from "../../../../../packages/transcript/src/formats/codex/testing/test-folder.ts";

/** A watched folder of sessions, and everything that was reported. */
export interface WatchedSessions extends AsyncDisposable {
  readonly at: (...names: readonly string[]) => string;
  /** Appends to a rollout; creates its folder if it is missing. */
  readonly write: (rollout: string, text: string) => void;
  readonly told: string[];
  readonly warnings: string[];
  /** Waits for this many events, then returns and forgets them. */
  readonly next: (count: number) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** Watches a folder of sessions, after something was done in it. */
export const watchSessions = (
  options: Pick<RolloutWatchOptions, "paces" | "watchDays"> = {},
  prepare: (sessions: Pick<WatchedSessions, "at" | "write">) => void = () => {},
): WatchedSessions => {
  const folder = newFolder();
  const at: WatchedSessions["at"] = (...names) => folder.at("codex", "sessions", ...names);
  const write: WatchedSessions["write"] = (rollout, text) => {
    mkdirSync(dirname(at(rollout)), { recursive: true });
    appendFileSync(at(rollout), text);
  };
  const told: string[] = [];
  const warnings: string[] = [];
  prepare({ at, write });
  const { stop } = watchRollouts({
    sessions: at(),
    onEvents: (path, events) => told.push(...events.map((event) => `${relative(at(), path)} ${summarise(event)}`)),
    onWarning: (warning) => warnings.push(warning),
    ...options,
    paces: { gather: 5, beat: 50, poll: 50, ...options.paces },
  });
  return {
    at,
    write,
    told,
    warnings,
    next: async (count) => {
      await vi.waitUntil(() => told.length >= count, { timeout: 5000, interval: 5 });
      return told.splice(0);
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      folder[Symbol.dispose]();
    },
  };
};
