import { isSaved, type SaveReport } from "@agent-checkpoint/autosave";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";

/** The result of a save as text. */
export function renderSave(report: SaveReport, style: Style): string {
  const { outcome, commit, branch, files, leftOut, altered, checkpoint, detail, section } = report;
  const lines = [
    headline(report, style),
    ...(isSaved(outcome) ? files.map((file) => `  ${visible(file)}`) : []),
    ...Object.entries(leftOut).map(
      ([file, reason]) => `  ${style.warn("left out:")} ${visible(file)} (${visible(reason)})`,
    ),
    ...altered.map((file) => `  ${style.warn("changed during the commit, perhaps by a hook:")} ${visible(file)}`),
    ...(checkpoint === null ? [] : [`Snapshot: ${checkpoint} (checkpoint snapshot restore brings it back)`]),
    ...(outcome === "committed-push-deferred" && detail !== null
      ? [`${style.warn("Not pushed:")} ${visible(detail)}`]
      : []),
    ...(commit === null && section !== null && outcome !== "nothing-to-do"
      ? ["", `State of the work (${branch ?? "no branch"}):`, section]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ outcome, commit, branch, detail }: SaveReport, style: Style): string {
  if (outcome === "nothing-to-do") return `Nothing to save${detail === null ? "" : `: ${visible(detail)}`}.`;
  if (isSaved(outcome))
    return `${style.good("Saved")} in ${(commit ?? "").slice(0, 12)} on ${visible(branch ?? "")}${outcome === "committed-pushed" ? ", and pushed" : ""}:`;
  return `${style.bad("Not committed:")} ${outcome}${detail === null ? "" : `: ${visible(detail)}`}`;
}
