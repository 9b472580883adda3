import { errorMessage } from "@agent-checkpoint/files";
import { type GitResult, namesIn, runGit, runGitAsUser } from "./run-git.ts";
import { isCommit } from "./work-tree.ts";

/** A file that a commit or a range has changed. */
export interface ChangedBlob {
  readonly file: string;
  /** The id of its content; null if it was deleted. */
  readonly blob: string | null;
}

/** A commit of a range. */
export interface RangeCommit {
  readonly id: string;
  readonly subject: string;
  /** When it was first written; a rebase keeps that. */
  readonly authoredAt: Date;
  /** What it changed; for a merge only files that differ from all its parents. */
  readonly files: readonly ChangedBlob[];
}

/** A range of commits, the first one first, and what it has changed as a whole. */
export interface CommitRange {
  /** What the range is compared with: the last common commit of both ends; null if the range begins with the first commit. */
  readonly base: { readonly id: string; readonly authoredAt: Date } | null;
  readonly head: string;
  readonly commits: readonly RangeCommit[];
  readonly files: readonly ChangedBlob[];
}

export type RangeReading =
  | { readonly ok: true; readonly range: CommitRange }
  | {
      readonly ok: false;
      readonly reason: "no-such-commit" | "too-many-commits" | "git-failed";
      readonly detail: string;
    };

/** Nobody reviews a range of more commits. */
const MAX_COMMITS = 1000;

/** Reads a commit (`HEAD`) or a range (`main..`, `main...feature`) of a work tree. */
export async function readRange(root: string, text: string): Promise<RangeReading> {
  const [, from = null, to = text] = /^(.+?)\.\.\.?(.*)$/.exec(text) ?? [];
  const head = await commitOf(root, to === "" ? "HEAD" : to);
  if (head === null) return { ok: false, reason: "no-such-commit", detail: to };
  const start = from === null ? await commitOf(root, `${head}^1`) : await commitOf(root, from);
  if (from !== null && start === null) return { ok: false, reason: "no-such-commit", detail: from };
  try {
    const base = start === null ? null : firstLine(await ask(root, ["merge-base", start, head]));
    const wanted = from === null ? ["--max-count=1", head] : [`--max-count=${MAX_COMMITS + 1}`, head, `^${base}`];
    const log = textOf(await ask(root, ["log", "-z", "--reverse", `--format=%H %at %s`, ...wanted]));
    const lines = log.split("\0").filter((line) => line !== "");
    if (lines.length > MAX_COMMITS)
      return { ok: false, reason: "too-many-commits", detail: `more than ${MAX_COMMITS} commits` };
    const commits: RangeCommit[] = [];
    for (const line of lines) {
      const [id = "", seconds = "", ...subject] = line.split(" ");
      const files = await diff(root, ["-c", "--root", "--no-commit-id", id]);
      commits.push({ id, subject: subject.join(" "), authoredAt: new Date(Number(seconds) * 1000), files });
    }
    const only = from === null ? commits[0]?.files : undefined;
    const files = only ?? (await diff(root, base === null ? ["--root", "--no-commit-id", head] : [base, head]));
    const at =
      base === null ? null : Number(firstLine(await ask(root, ["log", "--max-count=1", "--format=%at", base])));
    return {
      ok: true,
      range: {
        base: base === null ? null : { id: base, authoredAt: new Date(Number(at) * 1000) },
        head,
        commits,
        files,
      },
    };
  } catch (error) {
    return { ok: false, reason: "git-failed", detail: errorMessage(error) };
  }
}

/** Writes a note about a commit in place of an earlier one under the same ref. */
export function writeNote(
  root: string,
  { ref, commit, text }: { readonly ref: string; readonly commit: string; readonly text: string },
): Promise<GitResult> {
  return runGitAsUser(["notes", `--ref=${ref}`, "add", "--force", "--file=-", commit], { cwd: root, input: text });
}

/** The whole name of a commit; null if there is none of this name. */
async function commitOf(root: string, name: string): Promise<string | null> {
  const result = await runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`], {
    cwd: root,
  });
  const id = result.ok ? result.stdout.toString("utf8").trim() : "";
  return isCommit(id) ? id : null;
}

async function ask(root: string, args: readonly string[]): Promise<Buffer> {
  const result = await runGit(args, { cwd: root, timeoutMs: TIMEOUT_MS });
  if (!result.ok) throw new Error(result.detail);
  return result.stdout;
}

const TIMEOUT_MS = 60_000;

function textOf(output: Buffer): string {
  return output.toString("utf8");
}

function firstLine(output: Buffer): string {
  return textOf(output).split("\n")[0] ?? "";
}

/** The changed files; if several parents are compared, as many modes and ids stand before the result's. */
async function diff(root: string, args: readonly string[]): Promise<readonly ChangedBlob[]> {
  const parts = namesIn(await ask(root, ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", ...args]));
  const files: ChangedBlob[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const ids = (parts[at] ?? "").split(" ").filter((word) => isCommit(word));
    const blob = ids.at(-1) ?? "";
    files.push({ file: parts[at + 1] ?? "", blob: /^0+$/.test(blob) ? null : blob });
  }
  return files;
}
