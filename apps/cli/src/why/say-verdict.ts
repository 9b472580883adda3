import type { CandidateVerdict, Mask } from "@agent-checkpoint/heuristics";
import { visible } from "../terminal/visible.ts";

/** How a command line hides the status of a command. */
const MASKS: Readonly<Record<Mask, string>> = {
  sequence: "a later command of the line decides its exit status",
  background: "it was sent to the background",
  pipe: "a pipe ends with the exit status of its last command",
  negation: "`!` turns its exit status around",
  or: "`||` takes its failure away",
  branch: "it stands in a branch or a loop",
  substitution: "it stands in a substitution",
  syntax: "the line could not be read as a whole",
};

/** Why a call counts as evidence or does not, in a few words. */
export function sayVerdict(verdict: CandidateVerdict): string {
  switch (verdict.status) {
    case "counted":
      return "counts";
    case "repeated":
      return "a later run counts";
    case "stale":
      return `stale: call ${verdict.changedBy} changed ${visible(verdict.file)} after it`;
    case "too-early":
      return `too early: it has to come after ${visible(verdict.before)}`;
    case "failed":
      return verdict.exitCode === null ? "failed" : `failed with exit status ${verdict.exitCode}`;
    case "refused":
      return "refused or interrupted by the user";
    case "masked":
      return `masked: ${verdict.by === null ? "its exit status is lost" : MASKS[verdict.by]}, and its output is no proof`;
    case "empty":
      return "it ran no tests";
    case "unfinished":
      return "no result: it was not seen to end";
    case "elsewhere":
      return `ran in another folder: ${visible(verdict.folder ?? "unknown")}`;
    case "dry-run":
      return "only told what it would do";
    default:
      return verdict.by === null
        ? "only mentioned: in a comment, a heredoc or a string"
        : `only mentioned: in an argument of ${visible(verdict.by)}`;
  }
}
