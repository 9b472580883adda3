/** Does something that makes the store first, and again where somebody who had made the store in vain took it away meanwhile. */
export function tryAgainWhereGone<T>(work: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isGone || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;
