import { join } from "node:path";
import { isHookTrusted } from "@agent-checkpoint/agents";
import { type Sent, syncBeside } from "@agent-checkpoint/composer";
import { appendLog, openStore } from "@agent-checkpoint/store";
import { hasOpenScreen, type RouteFacts } from "./routes/choose-route.ts";
import { inspectCodex } from "./routes/choose-route.ts";
import { deliverByQueue } from "./routes/deliver-by-queue.ts";
import type { Settings } from "./settings.ts";
import { deliverByTmux } from "./tmux/deliver-by-tmux.ts";
import { createTmux } from "./tmux/tmux.ts";
import { isOnlyThreadInFolder } from "./turns/polled-thread.ts";
import { judgeTurn, type TurnJudging } from "./turns/judge-turn.ts";
import type { TurnToJudge } from "./turns/live-threads.ts";
import { previewTurn } from "./turns/judge-turn.ts";

/** Judges turns and delivers, one after the other in a thread, a few threads at a time. */
export interface Injector {
  readonly take: (turn: TurnToJudge) => void;
  /** Settles when nothing is under way. */
  readonly idle: () => Promise<void>;
}

/** How an injector works. */
export interface InjectorOptions {
  /** Shows what would be sent, and sends nothing. */
  readonly dryRun: boolean;
  /** Ends running deliveries without another keystroke. */
  readonly signal: AbortSignal;
  readonly isScreenOpen?: () => Promise<boolean>;
}

/** Many threads may finish together: each judgement starts git, and each delivery by queue starts Codex. */
const MAX_JUDGED_AT_ONCE = 2;
const MAX_QUEUED_AT_ONCE = 4;

/** Makes an injector; what a machine can do is asked once. */
export async function createInjector(
  settings: Settings,
  { dryRun, signal, isScreenOpen = hasOpenScreen }: InjectorOptions,
): Promise<Injector> {
  const program = await inspectCodex(settings.codex, settings.env);
  const tmux = createTmux({ command: settings.tmux, env: settings.env });
  const { ok: hasTmux } = await tmux(["-V"]);
  const underWay = new Map<string, Promise<void>>();
  const judging = createTurnstile(MAX_JUDGED_AT_ONCE);
  const queueing = createTurnstile(MAX_QUEUED_AT_ONCE);
  const facts = (): Omit<RouteFacts, "codexVersion"> => ({
    forced: settings.forced,
    isHookTrusted: isHookTrusted(settings.codexHome),
    hasQueue: program.hasQueue,
    hasTmux,
  });

  const take = (turn: TurnToJudge): void => {
    const { id } = turn.turn.thread;
    const next = (underWay.get(id) ?? Promise.resolve())
      .then(() => handle(turn))
      .catch((error: unknown) => report("codex-failed", turn, error));
    underWay.set(id, next);
    void next.then(() => underWay.get(id) === next && underWay.delete(id));
  };

  const handle = async (turn: TurnToJudge): Promise<void> => {
    const leave = await judging();
    try {
      // A delivery may wait for its person for long; others are judged meanwhile.
      await judge(turn, async (...given) => {
        leave();
        return deliver(...given);
      });
    } finally {
      leave();
    }
  };

  const judge = async (turn: TurnToJudge, deliverTurn: TurnJudging["deliver"]): Promise<void> => {
    if (signal.aborted) return;
    if (dryRun) return console.log(await previewTurn(turn.turn, settings.home, facts()));
    const opened = await openStore(settings.home, { now: () => turn.turn.finishedAt });
    if (!opened.ok) return report("codex-store", turn, `${opened.reason}: ${opened.detail}`);
    try {
      const { home, workingSlug } = settings;
      const { problem } = await judgeTurn(turn, {
        store: opened.store,
        home,
        workingSlug,
        facts: facts(),
        deliver: deliverTurn,
      });
      if (problem !== null) report("codex-degraded", turn, problem);
      await syncBeside(opened.store, home, settings.env);
    } finally {
      await opened.store.close();
    }
  };

  const deliver = async (route: "queue" | "tmux", turn: TurnToJudge, message: string): Promise<Sent> => {
    const sent = await (route === "queue" ? byQueue(turn, message) : byTmux(turn, message));
    const detail = sent.ok ? "delivered" : sent.reason;
    appendLog(settings.home, { level: "info", event: "codex-delivery", route, thread: turn.turn.thread.id, detail });
    return sent;
  };

  const byQueue = async ({ turn, live }: TurnToJudge, message: string): Promise<Sent> => {
    if (!(await isScreenOpen())) return { ok: false, reason: "no-open-screen" };
    const leave = await queueing();
    try {
      return await deliverByQueue({
        codex: settings.codex,
        env: settings.env,
        threadId: turn.thread.id,
        message,
        wasReceived: () => live.hasReceived(message),
        signal,
      });
    } finally {
      leave();
    }
  };

  const byTmux = async ({ turn, live }: TurnToJudge, message: string): Promise<Sent> => {
    const { id, cwd } = turn.thread;
    const result = await deliverByTmux({
      tmux,
      thread: { id, cwd: cwd ?? "", rolloutPath: turn.rolloutPath },
      message,
      isStillWanted: live.isStillLast,
      isOnlyThreadInFolder: () => isOnlyThreadInFolder(join(settings.codexHome, "sessions"), cwd ?? "", new Date()),
      wasReceived: () => live.hasReceived(message),
      onWait: (reason, detail = "") => {
        if (reason !== "settling" && reason !== "working")
          report("codex-tmux", { turn, live }, `waits: ${reason} ${detail}`);
      },
      signal,
    });
    if (result.ok) return { ok: true };
    if (result.detail !== undefined && result.detail !== "")
      report("codex-tmux", { turn, live }, `${result.reason}: ${result.detail}`);
    return { ok: false, reason: result.reason };
  };

  const report = (event: string, turn: TurnToJudge, error: unknown): void => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    appendLog(settings.home, { level: "warn", event, thread: turn.turn.thread.id, detail });
  };

  return {
    take,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

/** Admits a limited number at once, the others in order of arrival; each gets a function to call when it leaves. */
function createTurnstile(size: number): () => Promise<() => void> {
  let free = size;
  const waiting: (() => void)[] = [];
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
  };
}
