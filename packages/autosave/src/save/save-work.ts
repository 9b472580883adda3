import { join } from "node:path";
import { findGitRoot } from "@agent-checkpoint/composer";
import { noteWrites } from "@agent-checkpoint/snapshots";
import { readRepository } from "../git/read-repository.ts";
import { sessionWrites } from "../ledger/session-writes.ts";
import { isOpenReason } from "./is-open-reason.ts";
import type { SaveOutcome, SaveReport } from "./outcome.ts";
import { planDocument, type DocumentPlan } from "./plan-document.ts";
import { pushSaved } from "./push-saved.ts";
import { isSameNews, nextStep, renderSection } from "./render-section.ts";
import { saveLocked } from "./save-locked.ts";
import type { SaveOptions, SaveRequest } from "./save-request.ts";
import { selectChanged } from "./select-changed.ts";
import type { SelectedFiles } from "./select-files.ts";
import { takeSafetyCheckpoint } from "./take-safety-checkpoint.ts";
import { withRepositoryLock } from "./with-repository-lock.ts";

const EMPTY = {
  branch: null,
  commit: null,
  checkpoint: null,
  restoreCommand: null,
  files: [],
  leftOut: {},
  altered: [],
  section: null,
  nextStep: null,
  detail: null,
  pushLater: null,
} as const;

/**
 * Saves a session's work: a safety checkpoint that nothing can refuse, then a commit of the agent's own files with the
 * status document, then a push where that is wanted. Where there is no commit, the work tree is as it was.
 */
export async function saveWork(
  request: SaveRequest,
  { onStep = () => undefined }: SaveOptions = {},
): Promise<SaveReport> {
  const deadline = performance.now() + request.budgetMs;
  const root = findGitRoot(request.projectPath) ?? request.projectPath;
  const written = sessionWrites(request.transcriptPath, request.agent, root);
  onStep("ledger", `${written.size} files written in the session`);
  if (written.size === 0) return { ...EMPTY, outcome: "nothing_to_do", detail: "the session has written no file" };
  const { openActions, failures, rules } = request;
  const reading = await readRepository(request.projectPath, rules);
  const repository = reading.ok ? reading.repository : null;
  const selected = await selectChanged(request, root, { written, head: repository?.head ?? null });
  const section = renderSection({
    branch: repository?.branch ?? null,
    head: repository?.head ?? null,
    files: [...written.keys()],
    openActions,
    failures,
  });
  const known = {
    ...EMPTY,
    branch: repository?.branch ?? null,
    section,
    nextStep: nextStep({ openActions, failures }),
  };
  const plan = await planDocument(root, { rules, section, head: repository?.head ?? null, written });
  if (selected !== null && isNothingNew(selected, plan, section)) return { ...known, outcome: "nothing_to_do" };

  const safety = await takeSafetyCheckpoint(request, root, { written, document: plan.path });
  onStep("safety-checkpoint", safety.ok ? (safety.id ?? "nothing to hold") : safety.detail);
  if (!safety.ok) return { ...known, outcome: "failed:safety_checkpoint", detail: safety.detail };
  const safe = { ...known, checkpoint: safety.id, restoreCommand: safety.restoreCommand };
  const refuse = (outcome: SaveOutcome, detail: string | null): SaveReport => {
    onStep(outcome, detail ?? undefined);
    return { ...safe, outcome, leftOut: selected?.leftOut ?? {}, detail };
  };
  if (!reading.ok) return refuse(`refused:${reading.refusal}`, reading.detail);
  if (plan.status === "refused") return refuse("refused:status_document", plan.detail);

  const folder = join(reading.repository.gitDir, "agent-checkpoint-direct");
  const saved = await withRepositoryLock(folder, deadline, () =>
    saveLocked({
      request,
      root: reading.repository.root,
      folder,
      deadline,
      written,
      secrets: safety.leftOut,
      onStep,
    }),
  );
  if (saved === null) return refuse("failed:lock", "another save in this work tree did not end in time");
  const { outcome, ...rest } = saved;
  onStep(outcome, rest.detail ?? undefined);
  const report: SaveReport = { ...safe, ...rest, outcome };
  if (outcome === "committed") await noteOwnFiles(request, root, report.files);
  if (outcome !== "committed" || !rules.push || report.commit === null) return report;
  return pushSaved(report, reading.repository, { deadline, onStep });
}

/** Notes what the agent's files hold now, so that a later restore sees what somebody else changes in them. */
async function noteOwnFiles(
  { home, userHome, sessionId }: SaveRequest,
  root: string,
  files: readonly string[],
): Promise<void> {
  await noteWrites(files, { cwd: root, root, home, userHome, session: sessionId });
}

/** Whether nothing of the session's is uncommitted, and the section says all that is to be said. */
function isNothingNew({ own, leftOut }: SelectedFiles, plan: DocumentPlan, section: string): boolean {
  const isOpen = own.length > 0 || Object.values(leftOut).some(isOpenReason);
  return !isOpen && plan.present !== null && isSameNews(plan.present, section);
}
