/** How far a long step has come. */
export interface Progress {
  readonly step: "reading" | "drilling" | "verifying" | "restoring";
  readonly done: number;
  readonly total: number;
}

export type ReportProgress = (progress: Progress) => void;
