import { readRepository } from "../git/read-repository.ts";
import type { WrittenFile } from "../ledger/session-writes.ts";
import { isOpenReason } from "./is-open-reason.ts";
import { recover } from "./journal.ts";
import { makeCommit } from "./make-commit.ts";
import type { SaveReport } from "./outcome.ts";
import { planDocument } from "./plan-document.ts";
import { isSameNews, renderSection } from "./render-section.ts";
import type { SaveOptions, SaveRequest } from "./save-request.ts";
import { selectChanged } from "./select-changed.ts";
import type { LeftOutReason } from "./select-files.ts";

/** A save that nobody else in the work tree interferes with. */
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

/** What came of it. */
export type LockedReport = Pick<SaveReport, "outcome" | "detail" | "leftOut"> &
  Partial<Pick<SaveReport, "branch" | "commit" | "files" | "altered" | "section">>;

/** The part that changes the work tree; everything is looked at anew, because somebody may have been at work before. */
export async function saveLocked(save: LockedSave): Promise<LockedReport> {
  const { request, root, folder, written, secrets, onStep } = save;
  const { rules } = request;
  const reading = await readRepository(request.projectPath, rules);
  if (!reading.ok) return { outcome: `refused:${reading.refusal}`, detail: reading.detail, leftOut: {} };
  const { repository } = reading;
  const recovered = await recover(root, repository.gitDir, folder);
  if (recovered !== "nothing") onStep("recovered", recovered);
  if (recovered === "busy")
    return { outcome: "refused:index_locked", detail: "a save before this one still holds the index", leftOut: {} };
  const selected = await selectChanged(request, root, { written, head: repository.head });
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
  return makeCommit(save, { repository, paths, own, added: [...new Set(added)], document, leftOut, section });
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
