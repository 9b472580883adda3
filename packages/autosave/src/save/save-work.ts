import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorMessage } from "@agent-checkpoint/files";
import { findGitRoot } from "@agent-checkpoint/git";
import { type CheckpointReport, createCheckpoint, noteWrites } from "@agent-checkpoint/snapshots";
import { sessionWrites, type WrittenFile } from "../ledger/session-writes.ts";
import { pushSaved } from "./push.ts";
import { isSameNews, nextStep, renderSection } from "./words.ts";
import { readRepository, saveFolder, withSaveLock } from "./repository.ts";
import { saveLocked } from "./save-locked.ts";
import { EMPTY, type SaveOptions, type SaveOutcome, type SaveReport, type SaveRequest } from "./save-report.ts";
import { isOpenReason, type LeftOutReason, oddPlace, selectChanged, type SelectedFiles } from "./select-files.ts";
import { type DocumentPlan, planDocument } from "./status-document.ts";

/**
 * Saves a session's work: a snapshot that nothing can refuse, then a commit of the agent's own files with the status
 * document, then a push if that is wanted. If there is no commit, the work tree is as it was. A full disk is an outcome.
 */
export async function saveWork(
  request: SaveRequest,
  { onStep = () => undefined }: SaveOptions = {},
): Promise<SaveReport> {
  try {
    return await saveInSteps(request, onStep);
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return { ...EMPTY, outcome: "failed:disk", detail: errorMessage(error) };
  }
}

async function saveInSteps(request: SaveRequest, onStep: NonNullable<SaveOptions["onStep"]>): Promise<SaveReport> {
  const deadline = performance.now() + request.budgetMs;
  const root = findGitRoot(request.projectPath) ?? request.projectPath;
  const written = sessionWrites(request.transcriptPath, request.agent, root);
  onStep("ledger", `${written.size} files written in the session`);
  if (written.size === 0) return { ...EMPTY, outcome: "nothing-to-do", detail: "the session has written no file" };
  const { openActions, failures, rules } = request;
  const reading = await readRepository(request.projectPath, rules);
  const { branch, head } = reading.ok ? reading.repository : reading;
  const selected = await selectChanged(request, root, { written, head });
  const section = renderSection({ branch, head, files: [...written.keys()], openActions, failures });
  const known = {
    ...EMPTY,
    branch,
    section,
    nextStep: nextStep({ openActions, failures }),
  };
  const plan = await planDocument(root, { rules, section, head, written });
  if (selected !== null && isNothingNew(selected, plan, section)) return { ...known, outcome: "nothing-to-do" };

  const snapshot = await takeSnapshot(request, root, { written, document: plan.path });
  onStep("snapshot", snapshot.ok ? (snapshot.id ?? "nothing to hold") : snapshot.detail);
  if (!snapshot.ok) return { ...known, outcome: "failed:snapshot", detail: snapshot.detail };
  const safe = { ...known, checkpoint: snapshot.id, restoreCommand: snapshot.restoreCommand };
  const refuse = (outcome: SaveOutcome, detail: string | null): SaveReport => {
    onStep(outcome, detail ?? undefined);
    return { ...safe, outcome, leftOut: selected?.leftOut ?? {}, detail };
  };
  if (!reading.ok) return refuse(`refused:${reading.refusal}`, reading.detail);
  if (plan.status === "refused") return refuse("refused:status-document", plan.detail);

  const folder = saveFolder(reading.repository.gitDir);
  const saved = await withSaveLock(folder, deadline - performance.now(), () =>
    saveLocked({
      request,
      root: reading.repository.root,
      folder,
      deadline,
      written,
      secrets: snapshot.leftOut,
      onStep,
    }),
  );
  if (!saved.ok) return refuse("failed:lock", "another save in this work tree did not end in time");
  const { outcome, ...rest } = saved.value;
  onStep(outcome, rest.detail ?? undefined);
  const report: SaveReport = { ...safe, ...rest, outcome };
  if (outcome === "committed") await noteOwnFiles(request, root, report.files);
  if (outcome !== "committed" || !rules.push || report.commit === null) return report;
  return pushSaved(report, reading.repository, { deadline, onStep });
}

/** Notes what the agent's files hold now, so that a later restore sees what others change in them. */
async function noteOwnFiles(
  { home, userHome, sessionId }: SaveRequest,
  root: string,
  files: readonly string[],
): Promise<void> {
  await noteWrites(files, { cwd: root, root, home, userHome, session: sessionId });
}

/** Whether the session has nothing uncommitted, and the section is up to date. */
function isNothingNew({ own, leftOut }: SelectedFiles, plan: DocumentPlan, section: string): boolean {
  const isOpen = own.length > 0 || Object.values(leftOut).some(isOpenReason);
  return !isOpen && plan.present !== null && isSameNews(plan.present, section);
}

/** The snapshot that comes before everything else, and what it would not hold. */
type SnapshotResult =
  | {
      readonly ok: true;
      readonly id: string | null;
      readonly restoreCommand: string | null;
      readonly leftOut: Readonly<Record<string, LeftOutReason>>;
    }
  | { readonly ok: false; readonly detail: string };

const MAX_FILES = 2000;

/** Takes a snapshot of the session's files and of the status document. */
async function takeSnapshot(
  { home, userHome, sessionId, percent, snapshotDays = 30 }: SaveRequest,
  root: string,
  { written, document }: { readonly written: ReadonlyMap<string, WrittenFile>; readonly document: string },
): Promise<SnapshotResult> {
  const named = [...new Set([...written.keys(), document, "buildguide.md"])];
  const files = named
    .filter((path) => existsSync(join(root, path)) && oddPlace(root, path) !== "link")
    .slice(-MAX_FILES);
  if (files.length === 0) return { ok: true, id: null, restoreCommand: null, leftOut: {} };
  const result = await createCheckpoint(
    {
      scope: files.map((path) => join(root, path)),
      reason: `before saving a session's work${percent === null ? "" : ` at ${Math.round(percent)} % of its context`}`,
      checkpoint_type: "file_backup",
      expiry: `${snapshotDays}d`,
    },
    { cwd: root, root, home, userHome, session: sessionId, lockWaitMs: 5000 },
  );
  if (result.status === "created") {
    const { report } = result;
    return {
      ok: true,
      id: report.checkpoint?.id ?? null,
      restoreCommand: report.checkpoint?.restore_command ?? null,
      leftOut: leftOutOf(report),
    };
  }
  // A snapshot of files with secrets only is refused; that is not a fault.
  if (result.code === "only-sensitive" || result.code === "nothing-captured" || result.code === "nothing-matched")
    return { ok: true, id: null, restoreCommand: null, leftOut: leftOutOf(result.report) };
  return { ok: false, detail: result.message };
}

function leftOutOf({ excluded, skipped }: CheckpointReport): Readonly<Record<string, LeftOutReason>> {
  return Object.fromEntries([
    ...excluded.map(({ path }) => [path, "secret"] as const),
    ...skipped.map(({ path }) => [path, "too-large"] as const),
  ]);
}
