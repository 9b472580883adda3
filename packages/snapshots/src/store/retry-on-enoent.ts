import { errorCode } from "@agent-checkpoint/files";

/** Runs work that creates the store, and retries if another process removed the empty store meanwhile. */
export function retryOnEnoent<T>(work: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;
