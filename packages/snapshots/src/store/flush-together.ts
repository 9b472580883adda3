import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "@agent-checkpoint/files";

/** Flushes files and folders, several at once, in nearly the time of one; some file systems flush no folders. */
export async function flushTogether(paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const file = openSync(path, "r");
      try {
        await flushed(file);
      } catch (error) {
        if (!["EINVAL", "EPERM"].includes(errorCode(error) ?? "")) throw error;
      } finally {
        closeSync(file);
      }
    }),
  );
}

/** Only the flush itself is left to another thread: it is what takes long, and every other trip there would wait its turn. */
const flushed = promisify(fsync);
