import type { Worker } from "node:worker_threads";
import { type PoolOptions, ThreadsPoolWorker, type WorkerRequest } from "vitest/node";

type Listener = Parameters<ThreadsPoolWorker["on"]>[1];

/** The thread that all runs share. */
let shared: Worker | undefined;

// An interrupted Stryker leaves the process that runs the tests to itself.
process.once("disconnect", () => process.exit());

/**
 * A worker thread of vitest that stays after a run and takes the next one, so that a run of one test takes 30 ms and not 300.
 * Its start and stop are only acted; `fresh-modules.ts` sees to it that no run meets the modules of another.
 */
export class WarmThread extends ThreadsPoolWorker {
  readonly #isWarm: boolean = shared !== undefined;
  readonly #listeners: { readonly event: string; readonly callback: Listener }[] = [];
  #config: unknown;

  constructor(options: PoolOptions) {
    super(options);
    Reflect.set(this, "_thread", shared);
  }

  override async start(): Promise<void> {
    if (this.#isWarm) return;
    await super.start();
    shared = Reflect.get(this, "_thread") as Worker;
    shared.unref();
  }

  override on(event: string, callback: Listener): void {
    this.#listeners.push({ event, callback });
    super.on(event, callback);
  }

  override send(message: WorkerRequest): void {
    if (message.type === "start") this.#config = message.context.config;
    if (message.type === "stop") this.#answer("stopped");
    else if (message.type === "start" && this.#isWarm) this.#answer("started");
    else if (message.type === "run") super.send(withConfig(message, this.#config));
    else super.send(message);
  }

  override async stop(): Promise<void> {
    for (const { event, callback } of this.#listeners) super.off(event, callback);
  }

  #answer(type: "started" | "stopped"): void {
    queueMicrotask(() => {
      for (const { event, callback } of this.#listeners)
        if (event === "message") callback({ type, __vitest_worker_response__: true });
    });
  }
}

/** The config contains which tests to run; the rest is fixed at the start of a thread. */
function withConfig<Message extends { readonly context: object }>(message: Message, config: unknown): Message {
  return { ...message, context: { ...message.context, config } };
}
