import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WIRES } from "@agent-checkpoint/agents/wire";
import { errorMessage, replaceFile } from "@agent-checkpoint/files";
import { commitPaths, hashFiles } from "@agent-checkpoint/git";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/redaction";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { WrittenFile } from "../ledger/session-writes.ts";
import { findCommit, type Journal, recover, removeJournal, undo, writeJournal } from "./journal.ts";
import { isSameNews, renderSection } from "./words.ts";
import { readRepository, type Repository } from "./repository.ts";
import type { SaveOptions, SaveOutcome, SaveReport, SaveRequest } from "./save-report.ts";
import { guideState, isOpenReason, type LeftOutReason, selectChanged } from "./select-files.ts";
import { type DocumentPlan, hashOf, planDocument } from "./status-document.ts";

/** A save that no other save in the work tree interferes with. */
export interface LockedSave {
  readonly request: SaveRequest;
  readonly root: string;
  readonly folder: string;
  readonly deadline: number;
  readonly written: ReadonlyMap<string, WrittenFile>;
  /** Files that must not get into a commit. */
  readonly secrets: Readonly<Record<string, LeftOutReason>>;
  readonly onStep: NonNullable<SaveOptions["onStep"]>;
}

/** The outcome of a save under the lock. */
export type LockedReport = Pick<SaveReport, "outcome" | "detail" | "leftOut"> &
  Partial<Pick<SaveReport, "branch" | "commit" | "files" | "altered" | "section">>;

/** The part that changes the work tree; everything is checked again, because others may have been at work before. */
export async function saveLocked(save: LockedSave): Promise<LockedReport> {
  const { request, root, folder, written, secrets, onStep } = save;
  const { rules } = request;
  const reading = await readRepository(request.projectPath, rules);
  if (!reading.ok) return { outcome: `refused:${reading.refusal}`, detail: reading.detail, leftOut: {} };
  const { repository } = reading;
  const recovered = await recover(root, repository.gitDir, folder);
  if (recovered !== "nothing") onStep("recovered", recovered);
  if (recovered === "busy")
    return { outcome: "refused:index-locked", detail: "a save before this one still holds the index", leftOut: {} };
  const selected = await selectChanged(request, root, { written, head: repository.head });
  if (selected === null)
    return { outcome: "failed:unexpected", detail: "git does not report what has changed", leftOut: {} };
  const leftOut: Record<string, LeftOutReason> = { ...selected.leftOut };
  const unfit = { ...secrets, ...(await searchLargeFiles(root, selected.own)) };
  const own = selected.own.filter((path) => {
    const reason = unfit[path];
    if (reason !== undefined) leftOut[path] = reason;
    return reason === undefined;
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
  if (plan.status === "refused") return { outcome: "refused:status-document", detail: plan.detail, leftOut };
  if (own.length === 0 && Object.keys(unfit).length > 0 && selected.own.length > 0)
    return { outcome: "refused:secrets", detail: "every file that could be committed holds a secret", leftOut };
  if (own.length === 0 && Object.values(leftOut).some(isOpenReason))
    return { outcome: "refused:mixed-files", detail: "none of the changed files is the agent's alone", leftOut };
  if (plan.status === "left-alone") leftOut[plan.path] = "mixed";
  const extra = await guideToCommit(root, { own, leftOut, secrets });
  const isNews = plan.present === null || !isSameNews(plan.present, section);
  const document = plan.status === "planned" && (own.length > 0 || extra.length > 0 || isNews) ? plan : null;
  const inCommit = document === null || document.isIgnored ? [] : [document.path];
  const paths = [...new Set([...own, ...extra.map(({ path }) => path), ...inCommit])];
  if (paths.length === 0) return { outcome: "nothing-to-do", detail: null, leftOut, section };
  const added = [
    ...selected.added.filter((path) => own.includes(path)),
    ...extra.filter(({ isNew }) => isNew).map(({ path }) => path),
    ...(document !== null && !document.isIgnored && document.isNew ? [document.path] : []),
  ];
  return makeCommit(save, { repository, paths, own, added: [...new Set(added)], document, leftOut, section });
}

/** How much of a file the snapshot has already searched for secrets, and the limit of the search. */
const SEARCHED_BYTES = 1024 * 1024;
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024;

/** The large files that must not be committed: a secret may lie behind what the snapshot has searched. */
async function searchLargeFiles(root: string, paths: readonly string[]): Promise<Record<string, LeftOutReason>> {
  const unfit: Record<string, LeftOutReason> = {};
  for (const path of paths) {
    const size = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0;
    if (size <= SEARCHED_BYTES) continue;
    const { scanContents } = await import("@agent-checkpoint/redaction/scan");
    if (size > MAX_SEARCHED_BYTES) unfit[path] = "too-large";
    else if ((await scanContents([{ path, bytes: readFileSync(join(root, path)) }])).size > 0) unfit[path] = "secret";
  }
  return unfit;
}

/** A build guide is included if it has changed and nothing of it is staged or mixed. */
async function guideToCommit(
  root: string,
  { own, leftOut, secrets }: { readonly own: readonly string[]; readonly leftOut: object; readonly secrets: object },
): Promise<readonly { readonly path: string; readonly isNew: boolean }[]> {
  if (own.includes(GUIDE) || GUIDE in leftOut || GUIDE in secrets) return [];
  return guideState(root, GUIDE);
}

const GUIDE = "buildguide.md";

/** The contents of the commit. */
interface CommitParts {
  readonly repository: Repository;
  readonly paths: readonly string[];
  readonly own: readonly string[];
  readonly added: readonly string[];
  readonly document: Extract<DocumentPlan, { status: "planned" }> | null;
  readonly leftOut: Record<string, LeftOutReason>;
  readonly section: string;
}

/** Writes the document and commits, under a journal: if it ends early, the work tree is restored. */
export async function makeCommit(
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
      const { path, before, after } = document;
      if (!replaceFile(join(root, path), before, after, { tmp: folder }))
        return await giveUp("refused:status-document", `${path} was changed while the work was being saved`);
      onStep("status-document", document.path);
    }
    const expected = await hashFiles(
      root,
      paths.filter((path) => path !== document?.path),
    );
    const committed = await commitPaths({
      workTree: repository,
      paths,
      added,
      messageFile,
      pathsFile,
      deadline: deadline - AFTER_COMMIT_MS,
      recheck: async () => {
        const again = await readRepository(request.projectPath, rules);
        if (!again.ok) return { ok: false, reason: "failed", detail: `${again.refusal}: ${again.detail}` };
        if (again.repository.branch === repository.branch) return { ok: true };
        return {
          ok: false,
          reason: "failed",
          detail: `the branch was ${repository.branch} and is ${again.repository.branch}`,
        };
      },
    });
    const found = await findCommit(root, checkpointId);
    if (found === null && !committed.ok) {
      const { reason, detail } = committed;
      return await giveUp(reason === "failed" ? "failed:commit" : `refused:${reason}`, detail);
    }
    if (found === null) return await giveUp("failed:verify", "git made a commit, and it is not on the branch");
    removeJournal(folder);
    onStep("commit", found.id);
    const done = new Set(found.paths);
    for (const path of own) if (!done.has(path)) leftOut[path] = "not-in-commit";
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
    return await giveUp("failed:unexpected", errorMessage(error));
  } finally {
    rmSync(messageFile, { force: true });
    rmSync(pathsFile, { force: true });
  }
}

/** The time reserved for verifying the commit and answering. */
const AFTER_COMMIT_MS = 1500;

/** The facts in a commit's message. */
interface MessageFacts {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly branch: string;
  readonly percent: number | null;
  readonly trigger: "stop" | "compaction" | "asked";
  readonly files: readonly string[];
  readonly leftOut: number;
  readonly openActions: number;
  readonly checkpointId: string;
  readonly hasCoAuthor: boolean;
}

const TRIGGERS = {
  stop: "because the context reached the threshold",
  compaction: "before a compaction",
  asked: "on request",
} as const;

/** A commit's message from its template, without secrets and with the trailers that it always has. */
function commitMessage(template: string, facts: MessageFacts): string {
  const { agent, sessionId, branch, percent, files, checkpointId, hasCoAuthor } = facts;
  const places: Readonly<Record<string, string>> = {
    facts: factsOf(facts),
    agent,
    branch: inlineCode(branch).slice(1, -1),
    files: String(files.length),
    percent: percent === null ? "unknown" : String(Math.round(percent)),
    session: inlineCode(sessionId).slice(1, -1),
  };
  const body = template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole).trimEnd();
  const { coAuthor } = WIRES[agent];
  const trailers = [
    `Checkpoint-Id: ${checkpointId}`,
    ...(hasCoAuthor && coAuthor !== null ? [`Co-Authored-By: ${coAuthor}`] : []),
  ];
  return `${redact(body)}\n\n${trailers.join("\n")}\n`;
}

function factsOf({ agent, sessionId, percent, trigger, files, leftOut, openActions }: MessageFacts): string {
  return [
    `Saved ${TRIGGERS[trigger]}${percent === null ? "" : ` (${Math.round(percent)} % in use)`}.`,
    "",
    `Agent: ${agent}, session ${inlineCode(sessionId).slice(1, -1)}`,
    `Files: ${files.length}${leftOut > 0 ? `, ${leftOut} left out` : ""}`,
    `Required actions still open: ${openActions}`,
  ].join("\n");
}
