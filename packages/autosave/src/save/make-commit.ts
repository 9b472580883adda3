import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitPaths } from "../git/commit-paths.ts";
import { findCommit, hashFiles } from "../git/find-commit.ts";
import { readRepository, type Repository } from "../git/read-repository.ts";
import { commitMessage } from "./commit-message.ts";
import { type Journal, removeJournal, undo, writeJournal } from "./journal.ts";
import type { SaveOutcome } from "./outcome.ts";
import type { DocumentPlan } from "./plan-document.ts";
import type { LockedReport, LockedSave } from "./save-locked.ts";
import type { LeftOutReason } from "./select-files.ts";
import { hashOf, replaceDocument } from "./status-document.ts";

/** What goes into the commit. */
export interface CommitParts {
  readonly repository: Repository;
  readonly paths: readonly string[];
  readonly own: readonly string[];
  readonly added: readonly string[];
  readonly document: Extract<DocumentPlan, { status: "planned" }> | null;
  readonly leftOut: Record<string, LeftOutReason>;
  readonly section: string;
}

/** Writes the document and commits, under a journal: whatever ends it early, the work tree is put back. */
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
