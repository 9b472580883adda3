import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { WIRES } from "@agent-checkpoint/agents/wire";
import { redactLine } from "@agent-checkpoint/redaction";
import { appendLine, errorMessage } from "@agent-checkpoint/files";
import { findGitRoot, peekRepository } from "@agent-checkpoint/git";
import { appendLog, type Store } from "@agent-checkpoint/store";
import { EMPTY, isSaved, type RecordedSave, type SaveReport, type SaveRequest } from "./save-report.ts";
import { saveWork } from "./save-work.ts";

/** Saves a session's work, with a line in the log for every step and a record of the result. */
export async function saveAndRecord(request: SaveRequest, store: Store | null): Promise<RecordedSave> {
  const { home, userHome, agent, sessionId, projectPath, trigger, percent } = request;
  const userLog = trigger === "asked" ? undefined : WIRES[agent].saveLog?.(userHome);
  const tell = (line: string) => userLog !== undefined && logForUser(userLog, line);
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
  tell("🚀 Executing checkpoint directly in hook");
  const onStep: typeof log = (step, detail) => {
    const line = LINES_FOR_USER[step];
    if (line !== undefined) tell(`${line}${detail === undefined ? "" : `: ${detail}`}`);
    return log(step, detail);
  };
  const report = await saveWork(request, { onStep }).catch(failed);
  tell(closingLine(report));
  if (report.outcome === "nothing-to-do" || report.outcome.startsWith("failed:"))
    log(report.outcome, report.detail ?? undefined);
  const record =
    (await store?.saves
      .record({
        agent,
        sessionId,
        projectPath: peekRepository(findGitRoot(projectPath) ?? projectPath),
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

/** The steps that the user's own log has, between the first line and the last. */
const LINES_FOR_USER: Readonly<Record<string, string>> = {
  snapshot: "📝 Snapshot taken",
  "status-document": "📋 Status document updated",
  commit: "💾 Git commit created",
  push: "📤 Pushing to remote",
};

/** Adds a line to a log of the user's own, if its folder exists. */
function logForUser(path: string, line: string): void {
  const time = new Date().toISOString().slice(0, 19).replace("T", " ");
  try {
    if (existsSync(dirname(path))) appendLine(path, `[${time}] ${redactLine(line)}\n`);
  } catch {
    // Our own log has the same.
  }
}

function closingLine({ outcome, commit, branch, files, detail }: SaveReport): string {
  if (outcome === "nothing-to-do") return "✅ Direct checkpoint execution completed: nothing to commit";
  if (!isSaved(outcome)) return `❌ Direct checkpoint execution failed: ${outcome} ${detail ?? ""}`.trimEnd();
  const pushed = outcome === "committed-pushed" ? ", pushed" : "";
  return `✅ Direct checkpoint execution completed: ${files.length} files in ${(commit ?? "").slice(0, 12)} on ${branch ?? ""}${pushed}`;
}

function failed(error: unknown): SaveReport {
  return { ...EMPTY, outcome: "failed:unexpected", detail: errorMessage(error) };
}
