import { appendLog } from "@agent-checkpoint/store";
import { takePlace } from "../instance/single-instance.ts";
import { createInjector } from "../injector.ts";
import { watchRollouts } from "../rollouts/watch-rollouts.ts";
import { sessionsFolder } from "../rollouts/list-rollouts.ts";
import type { Settings } from "../settings.ts";
import { createLiveThreads } from "../turns/live-threads.ts";
import { recentTurns } from "../turns/polled-thread.ts";

/** Follows the sessions and delivers until a signal ends it. */
export async function runWatch(
  settings: Settings,
  options: { readonly once: boolean; readonly dryRun: boolean },
): Promise<number> {
  const place = options.dryRun ? null : takePlace(settings.home);
  if (place?.ok === false) {
    const { pid, since } = place.owner;
    console.error(`checkpoint-codex: process ${pid} is already watching, since ${since.toISOString()}.`);
    return 3;
  }
  const ending = new AbortController();
  const end = () => ending.abort();
  // Not `once`: execa ends the process at a signal without another listener.
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  try {
    const injector = await createInjector(settings, { dryRun: options.dryRun, signal: ending.signal });
    const sessions = sessionsFolder({ CODEX_HOME: settings.codexHome });
    if (options.once) {
      for (const turn of recentTurns(sessions, new Date())) injector.take(turn);
      await injector.idle();
      return 0;
    }
    const threads = createLiveThreads();
    const watch = watchRollouts({
      sessions,
      onEvents: (path, events, state) => threads.take(path, events, state).forEach(injector.take),
      onWarning: (detail) => void appendLog(settings.home, { level: "warn", event: "codex-watch", detail }),
    });
    console.error(`checkpoint-codex: watching ${sessions}`);
    await new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve(), { once: true }));
    await watch.stop();
    await injector.idle();
    return 0;
  } finally {
    process.removeListener("SIGTERM", end);
    process.removeListener("SIGINT", end);
    if (place?.ok === true) place.lock.release();
  }
}
