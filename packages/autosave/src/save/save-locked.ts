import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { WrittenFile } from "../ledger/session-writes.ts";
import { recover } from "./journal.ts";
import { makeCommit } from "./make-commit.ts";
import { isSameNews, renderSection } from "./render-section.ts";
import { readRepository } from "./repository.ts";
import type { SaveOptions, SaveReport, SaveRequest } from "./save-report.ts";
import { guideState, isOpenReason, type LeftOutReason, selectChanged } from "./select-files.ts";
import { planDocument } from "./status-document.ts";

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
    return { outcome: "failed:unexpected", detail: "git does not tell what has changed", leftOut: {} };
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

/** How much of a file the snapshot has searched for secrets already, and how much is searched at all. */
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
