import type { Rules } from "@agent-checkpoint/categories";
import type { CheckpointResult } from "@agent-checkpoint/heuristics";
import { inlineCode, plainWords } from "@agent-checkpoint/heuristics";
import { ALL_CLEAR, CLOSING, ENDING, MESSAGE_PREFIX } from "./texts.ts";

const MAX_PATHS = 5;
const MAX_OBSERVATIONS = 8;

/** What a message says beside the verdict. */
export type MessageParts = Pick<Rules, "commitStep" | "captureReminder">;

const ALL_PARTS: MessageParts = { commitStep: true, captureReminder: true };

/** The message of a verdict, the same for every agent. */
export function renderMessage(result: CheckpointResult, parts: MessageParts = ALL_PARTS): string {
  const ending = parts.captureReminder ? ENDING : CLOSING;
  if (result.isAllClear) return sections(`${MESSAGE_PREFIX}${ALL_CLEAR}`, observations(result), ending);
  return sections(header(result), changedFiles(result), requiredActions(result, parts), observations(result), ending);
}

function header({ requiredActions: { length }, observations: said, isCaptureOnly, files }: CheckpointResult): string {
  const hasObservations = said.length > 0;
  if (!isCaptureOnly && length === 0 && !hasObservations && files.withoutRule.length === 0)
    return `${MESSAGE_PREFIX}nothing is required for these changes.`;
  if (isCaptureOnly) return `${MESSAGE_PREFIX}no code changed.`;
  if (length === 0)
    return `${MESSAGE_PREFIX}no required action is open; ${hasObservations ? "see the observations" : "verify the files without a rule yourself"}.`;
  return `${MESSAGE_PREFIX}${length === 1 ? "1 action is" : `${length} actions are`} still required before this turn is done.`;
}

/** Files by category, then those without a rule, then documents. */
function changedFiles({ files }: CheckpointResult): string {
  const groups = [
    ...files.matches.map(({ category, files: own }) => ({ label: labelOf(category, files.isTestsOnly), files: own })),
    { label: "without a rule", files: files.withoutRule },
    { label: "documents", files: files.documents },
  ];
  const lines = groups
    .filter((group) => group.files.length > 0)
    .map((group) => `- ${plainWords(group.label)}: ${paths(group.files)}`);
  // Rows of the same label may cover the same files, and ask for different actions.
  return lines.length === 0 ? "" : ["Changed files:", ...new Set(lines)].join("\n");
}

function labelOf(
  category: { readonly label: string; readonly alone?: { readonly label: string } },
  isTestsOnly: boolean,
): string {
  return isTestsOnly ? (category.alone?.label ?? category.label) : category.label;
}

function paths(files: readonly string[]): string {
  const shown = files.slice(0, MAX_PATHS).map((file) => inlineCode(file));
  const more = files.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** The checklist; the commit comes last, and only if there is something to commit. */
function requiredActions(
  { requiredActions: actions, files, isCaptureOnly }: CheckpointResult,
  { commitStep }: MessageParts,
): string {
  if (actions.length === 0) return "";
  const hasChanges = commitStep && (!isCaptureOnly || files.documents.length > 0);
  const steps = actions.length === 1 ? "step 1 is" : `steps 1-${actions.length} are`;
  const all = [...actions.map(plainWords), ...(hasChanges ? [`Commit only after ${steps} complete`] : [])];
  return ["Required actions, in this order:", ...all.map((action, index) => `${index + 1}. ${action}`)].join("\n");
}

function observations({ observations: all }: CheckpointResult): string {
  if (all.length === 0) return "";
  const more = all.length - MAX_OBSERVATIONS;
  const shown = all.slice(0, MAX_OBSERVATIONS).map((text) => `- ${text}`);
  return ["Observations:", ...shown, ...(more > 0 ? [`- And ${more} more of the kind.`] : [])].join("\n");
}

function sections(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
