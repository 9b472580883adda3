import { formatNumber } from "./layout.ts";

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly elapsedMs: number;
}

/** One line about a running task: bar, count, rate and remaining time, as wide as fits. */
export function renderProgress({ done, total, bytes, totalBytes, elapsedMs }: Progress, columns: number): string {
  const share = totalBytes === 0 ? (total === 0 ? 1 : done / total) : Math.min(1, bytes / totalBytes);
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const left = share > 0 && elapsedMs > 1000 ? duration((elapsedMs / share - elapsedMs) / 1000) : null;
  const words = [
    `${Math.floor(share * 100)} %`,
    `${formatNumber(done)} of ${formatNumber(total)} files`,
    `${formatNumber(Math.round(done / seconds))} files/s`,
    `${(bytes / seconds / 1e6).toFixed(bytes / seconds < 1e7 ? 1 : 0)} MB/s`,
    ...(left === null ? [] : [`${left} left`]),
  ].join("  ");
  const width = Math.min(30, columns - words.length - 3);
  if (width < 8) return words.slice(0, Math.max(0, columns - 1));
  const filled = Math.round(share * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}  ${words}`;
}

/** Shows what is being done on a line that disappears when it ends; shows nothing if stderr is no terminal. */
export async function withStatus<Result>(
  text: string,
  { err, isProgressShown }: { readonly err: (text: string) => void; readonly isProgressShown: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isProgressShown) return work();
  err(`${ERASE}${text} …`);
  try {
    return await work();
  } finally {
    err(ERASE);
  }
}

/** A progress line that overwrites itself. */
export interface ProgressLine {
  /** Redraws the line, unless it was just drawn. */
  readonly update: (progress: Omit<Progress, "elapsedMs">) => void;
  readonly clear: () => void;
}

const REDRAW_MS = 100;
const ERASE = "\r\u001B[2K";

/** Creates a progress line; it writes nothing if `isShown` is false. */
export function createProgressLine({
  err,
  isShown,
  columns,
  clock = () => performance.now(),
}: {
  readonly err: (text: string) => void;
  readonly isShown: boolean;
  readonly columns: number;
  readonly clock?: () => number;
}): ProgressLine {
  const start = clock();
  let drawnAt = -Infinity;
  return {
    update: (progress) => {
      const now = clock();
      if (!isShown || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      err(`${ERASE}${renderProgress({ ...progress, elapsedMs: now - start }, columns)}`);
    },
    clear: () => {
      if (drawnAt !== -Infinity) err(ERASE);
    },
  };
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
