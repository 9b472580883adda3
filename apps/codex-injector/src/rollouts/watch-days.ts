import { type FSWatcher, watch as watchFolder } from "node:fs";
import { basename, join, relative } from "node:path";
import { watch as watchTree } from "chokidar";
import { isDatePath, isDayPath, isRolloutName } from "./list-rollouts.ts";

/** Callbacks for changes in the folders of the days. */
export interface DayListener {
  /** A rollout was made, written, moved or deleted. */
  readonly onFile: (path: string) => void;
  /** A day's folder is watched from now on; its existing files were not reported. */
  readonly onDay: (folder: string) => void;
  /** Something cannot be watched; after this, changes may go unreported. */
  readonly onError: (error: unknown) => void;
}

/** A task that runs until it is stopped. */
export interface DayWatch {
  readonly stop: () => Promise<void>;
}

/** Watches the folders of the days below an existing folder of sessions. */
export type WatchDays = (sessions: string, listener: DayListener) => DayWatch;

/**
 * Watches with one handle per folder and none per file.
 *
 * The library follows years and months, so that it reports when a day begins or is deleted. The days are watched
 * directly: at every write the library would look at every file of the day.
 */
export const watchDays: WatchDays = (sessions, { onFile, onDay, onError }) => {
  const days = new Map<string, FSWatcher>();
  const tree = watchTree(sessions, {
    depth: 2,
    ignored: (path) => !isDatePath(relative(sessions, path)),
    ignorePermissionErrors: true,
  })
    .on("addDir", open)
    .on("unlinkDir", close)
    .on("error", onError);
  return {
    stop: async () => {
      for (const day of days.keys()) close(day);
      await tree.close();
    },
  };

  function open(folder: string): void {
    if (!isDayPath(relative(sessions, folder))) return;
    close(folder);
    try {
      const day = watchFolder(folder, (event, name) => {
        if (name !== null && isRolloutName(name)) onFile(join(folder, name));
        // The folder itself was moved or deleted, and another may stand in its place before the library looks.
        else if (event === "rename" && name === basename(folder)) open(folder);
      });
      day.on("error", onError);
      days.set(folder, day);
    } catch (error) {
      if (!isMissing(error)) onError(error);
      return;
    }
    onDay(folder);
  }

  function close(folder: string): void {
    days.get(folder)?.close();
    days.delete(folder);
  }
};

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
