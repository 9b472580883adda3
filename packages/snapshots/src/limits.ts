/** How much a checkpoint takes at most; what does not fit is listed as skipped. */
export interface Limits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  readonly millis: number;
  /** How much of a file is searched for secrets. */
  readonly scanBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  fileBytes: 100 * 1024 * 1024,
  totalBytes: 4 * 1024 * 1024 * 1024,
  files: 500_000,
  millis: 10 * 60_000,
  scanBytes: 1024 * 1024,
};
