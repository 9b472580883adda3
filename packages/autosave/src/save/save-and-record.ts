import { redactLine } from "@agent-checkpoint/redaction";
import { errorMessage } from "@agent-checkpoint/files";
import { appendLog, type Store } from "@agent-checkpoint/store";
import { EMPTY, type RecordedSave, type SaveReport, type SaveRequest } from "./save-report.ts";
import { saveWork } from "./save-work.ts";

/** Saves a session's work, with a line in the log for every step and a record of the result. */
export async function saveAndRecord(request: SaveRequest, store: Store | null): Promise<RecordedSave> {
  const { home, agent, sessionId, projectPath, trigger, percent } = request;
  const started = performance.now();
  const log = (step: string, detail?: string) =>
    appendLog(home, {
      level: "info",
      event: "save",
      session: sessionId,
      step,
      detail: detail === undefined ? undefined : redactLine(detail),
    });
  log("begin", `${agent}, ${trigger}, ${percent === null ? "usage unknown" : `${Math.round(percent)} %`}`);
  const report = await saveWork(request, { onStep: log }).catch(failed);
  if (report.outcome === "nothing-to-do" || report.outcome.startsWith("failed:"))
    log(report.outcome, report.detail ?? undefined);
  const record =
    (await store?.saves
      .record({
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
        detail: report.detail === null ? null : redactLine(report.detail),
        durationMs: performance.now() - started,
      })
      .catch(() => null)) ?? null;
  return { report, record };
}

function failed(error: unknown): SaveReport {
  return { ...EMPTY, outcome: "failed:unexpected", detail: errorMessage(error) };
}
