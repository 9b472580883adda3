import { errorCode } from "../error-code.ts";
/** Does something that makes the store first, and again where somebody who had made the store in vain took it away meanwhile. */
export function tryAgainWhereGone<T>(work: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;
