import { appendLog, type Store } from "@agent-checkpoint/store";
import { redact } from "@agent-checkpoint/snapshots";
import type { SaveReport } from "./outcome.ts";
import type { SaveRequest } from "./save-request.ts";
import { saveWork } from "./save-work.ts";

/** A save and the number of its record; null where the store could not take it. */
export interface RecordedSave {
  readonly report: SaveReport;
  readonly record: number | null;
}

/** Saves a session's work, with a line in the log for every step and a record of what came of it. */
export async function saveAndRecord(request: SaveRequest, store: Store | null): Promise<RecordedSave> {
  const { home, agent, sessionId, projectPath, trigger, percent } = request;
  const started = performance.now();
  const log = (step: string, detail?: string) =>
    appendLog(home, {
      level: "info",
      event: "save",
      session: sessionId,
      step,
      detail: detail === undefined ? undefined : redact(detail),
    });
  log("begin", `${agent}, ${trigger}, ${percent === null ? "usage unknown" : `${Math.round(percent)} %`}`);
  const report = await saveWork(request, { onStep: log }).catch((error: unknown) => failed(error));
  if (report.outcome === "nothing_to_do" || report.outcome.startsWith("failed:"))
    log(report.outcome, report.detail ?? undefined);
  const record =
    (await store
      ?.recordSave({
        agent,
        sessionId,
        projectPath,
        at: new Date(),
        trigger,
        outcome: report.outcome,
        percent,
        commit: report.commit,
        checkpoint: report.checkpoint,
        files: report.files,
        leftOut: report.leftOut,
        section: report.section,
        detail: report.detail === null ? null : redact(report.detail),
        durationMs: performance.now() - started,
      })
      .catch(() => null)) ?? null;
  return { report, record };
}

function failed(error: unknown): SaveReport {
  return {
    outcome: "failed:unexpected",
    branch: null,
    commit: null,
    checkpoint: null,
    restoreCommand: null,
    files: [],
    leftOut: {},
    altered: [],
    section: null,
    nextStep: null,
    detail: error instanceof Error ? error.message : String(error),
    pushLater: null,
  };
}
