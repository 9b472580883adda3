import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SaveRules } from "@agent-checkpoint/categories";
import { findGitRoot, listChangedFiles } from "@agent-checkpoint/composer";
import { noteWrites } from "@agent-checkpoint/safety";
import type { AgentName } from "@agent-checkpoint/transcript";
import { commitPaths } from "../git/commit-paths.ts";
import { findCommit, hashFiles } from "../git/find-commit.ts";
import { readRepository, type Repository } from "../git/read-repository.ts";
import { sessionWrites, type WrittenFile } from "../ledger/session-writes.ts";
import { pushCommit } from "../push/push-commit.ts";
import { commitMessage } from "./commit-message.ts";
import { recover, removeJournal, undo, writeJournal, type Journal } from "./journal.ts";
import type { SaveOutcome, SaveReport } from "./outcome.ts";
import { planDocument, type DocumentPlan } from "./plan-document.ts";
import { isSameNews, nextStep, renderSection } from "./render-section.ts";
import { selectFiles, type LeftOutReason, type SelectedFiles } from "./select-files.ts";
import { hashOf, replaceDocument } from "./status-document.ts";
import { takeSafetyCheckpoint } from "./take-safety-checkpoint.ts";
import { withRepositoryLock } from "./with-repository-lock.ts";

/** Whose work is to be saved, and how. */
export interface SaveRequest {
  readonly agent: AgentName;
  readonly sessionId: string;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  readonly trigger: "stop" | "compaction" | "asked";
  readonly percent: number | null;
  readonly rules: SaveRules;
  readonly openActions: readonly string[];
  readonly failures: readonly string[];
  /** What was dirty when the session began; null where nobody noted it. */
  readonly baseline: Readonly<Record<string, string>> | null;
  /** The folder of the store. */
  readonly home: string;
  readonly userHome: string;
  /** How long it may take all in all. */
  readonly budgetMs: number;
}

/** What a caller, a log or a test listens with. */
export interface SaveOptions {
  /** Called at every step with what it came to. */
  readonly onStep?: (step: string, detail?: string) => void;
}

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
  const selected = await select(request, root, { written, head: repository?.head ?? null });
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
      section,
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
  return push(report, reading.repository, { deadline, onStep });
}

async function select(
  request: SaveRequest,
  root: string,
  { written, head }: { readonly written: ReadonlyMap<string, WrittenFile>; readonly head: string | null },
): Promise<SelectedFiles | null> {
  const changed = await listChangedFiles(root, { untracked: true, timeoutMs: 10_000 });
  if (changed.status === "unknown") return null;
  return selectFiles({ root, head, written, changed: changed.files, baseline: request.baseline });
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

/** What git does not see is no work that waits for a commit. */
function isOpenReason(reason: string): boolean {
  return reason !== "ignored" && reason !== "nested_repository" && reason !== "link";
}

interface LockedSave {
  readonly request: SaveRequest;
  readonly root: string;
  readonly folder: string;
  readonly deadline: number;
  readonly written: ReadonlyMap<string, WrittenFile>;
  readonly section: string;
  /** Files that must not get into a commit. */
  readonly secrets: Readonly<Record<string, LeftOutReason>>;
  readonly onStep: NonNullable<SaveOptions["onStep"]>;
}

type LockedReport = Pick<SaveReport, "outcome" | "detail" | "leftOut"> &
  Partial<Pick<SaveReport, "branch" | "commit" | "files" | "altered" | "section">>;

/** The part that changes the work tree; everything is looked at anew, because somebody may have been at work before. */
async function saveLocked(save: LockedSave): Promise<LockedReport> {
  const { request, root, folder, written, secrets, onStep } = save;
  const { rules } = request;
  const reading = await readRepository(request.projectPath, rules);
  if (!reading.ok) return { outcome: `refused:${reading.refusal}`, detail: reading.detail, leftOut: {} };
  const { repository } = reading;
  const recovered = await recover(root, repository.gitDir, folder);
  if (recovered !== "nothing") onStep("recovered", recovered);
  if (recovered === "busy")
    return { outcome: "refused:index_locked", detail: "a save before this one still holds the index", leftOut: {} };
  const selected = await select(request, root, { written, head: repository.head });
  if (selected === null)
    return { outcome: "failed:unexpected", detail: "git does not tell what has changed", leftOut: {} };
  const leftOut: Record<string, LeftOutReason> = { ...selected.leftOut };
  const own = selected.own.filter((path) => {
    const secret = secrets[path];
    if (secret !== undefined) leftOut[path] = secret;
    return secret === undefined;
  });
  const { openActions, failures } = request;
  const section = renderSection({
    branch: repository.branch,
    head: repository.head,
    files: [...written.keys()],
    openActions,
    failures,
  });
  const plan = await planDocument(root, { rules, section, head: repository.head, written });
  if (plan.status === "refused") return { outcome: "refused:status_document", detail: plan.detail, leftOut };
  if (own.length === 0 && Object.keys(secrets).length > 0 && selected.own.length > 0)
    return { outcome: "refused:secrets", detail: "every file that could be committed holds a secret", leftOut };
  if (own.length === 0 && Object.values(leftOut).some(isOpenReason))
    return { outcome: "refused:mixed_files", detail: "none of the changed files is the agent's alone", leftOut };
  if (plan.status === "left-alone") leftOut[plan.path] = "mixed";
  const extra = await guideToCommit(root, { own, leftOut, secrets });
  const isNews = plan.present === null || !isSameNews(plan.present, section);
  const document = plan.status === "planned" && (own.length > 0 || extra.length > 0 || isNews) ? plan : null;
  const inCommit = document === null || document.isIgnored ? [] : [document.path];
  const paths = [...new Set([...own, ...extra.map(({ path }) => path), ...inCommit])];
  if (paths.length === 0) return { outcome: "nothing_to_do", detail: null, leftOut, section };
  const added = [
    ...selected.added.filter((path) => own.includes(path)),
    ...extra.filter(({ isNew }) => isNew).map(({ path }) => path),
    ...(document !== null && !document.isIgnored && document.isNew ? [document.path] : []),
  ];
  return commit(save, { repository, paths, own, added: [...new Set(added)], document, leftOut, section });
}

/** A build guide goes along where it has changed and nobody has staged or mixed anything in it. */
async function guideToCommit(
  root: string,
  { own, leftOut, secrets }: { readonly own: readonly string[]; readonly leftOut: object; readonly secrets: object },
): Promise<readonly { readonly path: string; readonly isNew: boolean }[]> {
  if (own.includes(GUIDE) || GUIDE in leftOut || GUIDE in secrets) return [];
  const { guideState } = await import("./guide-state.ts");
  return guideState(root, GUIDE);
}

const GUIDE = "buildguide.md";

interface CommitParts {
  readonly repository: Repository;
  readonly paths: readonly string[];
  readonly own: readonly string[];
  readonly added: readonly string[];
  readonly document: Extract<DocumentPlan, { status: "planned" }> | null;
  readonly leftOut: Record<string, LeftOutReason>;
  readonly section: string;
}

async function commit(
  { request, root, folder, deadline, onStep }: LockedSave,
  parts: CommitParts,
): Promise<LockedReport> {
  const { repository, paths, own, added, document, leftOut, section } = parts;
  const checkpointId = `${Date.now().toString(36)}-${randomBytes(8).toString("hex")}`;
  const { rules } = request;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const messageFile = join(folder, "message.txt");
  const pathsFile = join(folder, "paths.txt");
  const message = commitMessage(rules.message, {
    ...request,
    branch: repository.branch,
    files: paths,
    leftOut: Object.keys(leftOut).length,
    openActions: request.openActions.length,
    checkpointId,
    hasCoAuthor: rules.coAuthor,
  });
  writeFileSync(messageFile, message, { mode: 0o600 });
  writeFileSync(pathsFile, paths.join("\0"), { mode: 0o600 });
  const journal: Journal = {
    checkpointId,
    document:
      document === null
        ? null
        : {
            path: document.path,
            before: document.before?.toString("base64") ?? null,
            afterHash: hashOf(document.after),
          },
    added,
  };
  writeJournal(folder, journal);
  onStep("journal");
  const giveUp = async (outcome: SaveOutcome, detail: string): Promise<LockedReport> => {
    await undo(root, folder, journal);
    removeJournal(folder);
    return { outcome, detail, leftOut, section };
  };
  try {
    if (document !== null) {
      replaceDocument(join(root, document.path), document.after, folder);
      onStep("status-document", document.path);
    }
    const expected = await hashFiles(
      root,
      paths.filter((path) => path !== document?.path),
    );
    const fault = await commitPaths({
      repository,
      paths,
      added,
      messageFile,
      pathsFile,
      deadline: deadline - AFTER_COMMIT_MS,
      recheck: async () => {
        const again = await readRepository(request.projectPath, rules);
        if (!again.ok) return { kind: "failed", detail: `${again.refusal}: ${again.detail}` };
        if (again.repository.branch === repository.branch) return null;
        return { kind: "failed", detail: `the branch was ${repository.branch} and is ${again.repository.branch}` };
      },
    });
    const found = await findCommit(root, checkpointId);
    if (found === null && fault !== null)
      return await giveUp(fault.kind === "failed" ? "failed:commit" : `refused:${fault.kind}`, fault.detail);
    if (found === null) return await giveUp("failed:verify", "git made a commit, and it is not on the branch");
    removeJournal(folder);
    onStep("commit", found.id);
    const done = new Set(found.paths);
    for (const path of own) if (!done.has(path)) leftOut[path] = "not_in_commit";
    const altered = found.paths.filter(
      (path) => expected.has(path) && found.blobs.get(path) !== expected.get(path) && found.blobs.has(path),
    );
    return {
      outcome: "committed",
      detail: null,
      commit: found.id,
      branch: repository.branch,
      files: found.paths,
      leftOut,
      altered,
      section,
    };
  } catch (error) {
    if ((await findCommit(root, checkpointId)) !== null) throw error;
    return await giveUp("failed:unexpected", error instanceof Error ? error.message : String(error));
  } finally {
    rmSync(messageFile, { force: true });
    rmSync(pathsFile, { force: true });
  }
}

/** What is left of the time for looking at the commit and for answering. */
const AFTER_COMMIT_MS = 1500;
const FIRST_PUSH_MS = 8000;

/** Tries a push as long as there is time; the rest is done after the answer. */
async function push(
  report: SaveReport,
  { root, branch }: Repository,
  { deadline, onStep }: { readonly deadline: number; readonly onStep: NonNullable<SaveOptions["onStep"]> },
): Promise<SaveReport> {
  const { commit: id } = report;
  if (id === null) return report;
  const timeoutMs = Math.max(500, Math.min(FIRST_PUSH_MS, deadline - performance.now()));
  const pushed = await pushCommit({ root, branch, commit: id, timeoutMs });
  onStep("push", pushed.status === "pushed" ? pushed.remote : `${pushed.why}: ${pushed.detail}`);
  if (pushed.status === "pushed") return { ...report, outcome: "committed_pushed" };
  return {
    ...report,
    outcome: "committed_push_deferred",
    detail: `not pushed (${pushed.why}): ${pushed.detail}`,
    pushLater: pushed.isWorthRetrying ? { root, branch, commit: id } : null,
  };
}
