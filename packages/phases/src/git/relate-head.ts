import { isCommit } from "./read-head.ts";
import { runGit } from "./run-git.ts";

/** How HEAD lies to a commit of before: at it, ahead of it, behind it, on another line, or nobody knows. */
export type HeadRelation = "same" | "ahead" | "behind" | "diverged" | "unknown";

/** How HEAD lies to a saved commit. */
export function relateHead(root: string, saved: string, head: string | null): HeadRelation {
  if (saved === head) return "same";
  if (head === null || !isCommit(saved)) return "unknown";
  const answers = [isAncestor(root, saved, head), isAncestor(root, head, saved)];
  if (answers[0] === true) return "ahead";
  if (answers[1] === true) return "behind";
  return answers.includes(null) || isShallow(root) ? "unknown" : "diverged";
}

function isAncestor(root: string, older: string, newer: string): boolean | null {
  const { exitCode } = runGit(root, ["merge-base", "--is-ancestor", older, newer]);
  return exitCode === 0 || exitCode === 1 ? exitCode === 0 : null;
}

/** A shallow clone does not know the commits that could tell. */
function isShallow(root: string): boolean {
  return runGit(root, ["rev-parse", "--is-shallow-repository"]).output !== "false";
}
