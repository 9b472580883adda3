import { isSaved, type SaveReport } from "@agent-checkpoint/autosave";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";

/** What came of a save, for a person at a terminal. */
export function renderSave(report: SaveReport, style: Style): string {
  const { outcome, commit, branch, files, leftOut, altered, checkpoint, detail, section } = report;
  const lines = [
    headline(report, style),
    ...(isSaved(outcome) ? files.map((file) => `  ${visible(file)}`) : []),
    ...Object.entries(leftOut).map(
      ([file, reason]) => `  ${style.warn("left out:")} ${visible(file)} (${visible(reason)})`,
    ),
    ...altered.map((file) => `  ${style.warn("changed on its way, by a hook perhaps:")} ${visible(file)}`),
    ...(checkpoint === null ? [] : [`Safety checkpoint: ${checkpoint} (checkpoint snapshot restore brings it back)`]),
    ...(outcome === "committed_push_deferred" && detail !== null
      ? [`${style.warn("Not pushed:")} ${visible(detail)}`]
      : []),
    ...(commit === null && section !== null && outcome !== "nothing_to_do"
      ? ["", `Where the work stands (${branch ?? "no branch"}):`, section]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ outcome, commit, branch, detail }: SaveReport, style: Style): string {
  if (outcome === "nothing_to_do") return `Nothing to save${detail === null ? "" : `: ${visible(detail)}`}.`;
  if (isSaved(outcome))
    return `${style.good("Saved")} in ${(commit ?? "").slice(0, 12)} on ${visible(branch ?? "")}${outcome === "committed_pushed" ? ", and pushed" : ""}:`;
  return `${style.bad("Not committed:")} ${outcome}${detail === null ? "" : `: ${visible(detail)}`}`;
}
