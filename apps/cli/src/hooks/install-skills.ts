import { hash } from "node:crypto";
import { rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceFile } from "@agent-checkpoint/files";
import { describeFault, readSettings } from "./settings-file.ts";
import { SKILLS } from "./skill-texts.ts";

/** What happened to the file of a skill. */
export interface SkillReport {
  readonly skill: string;
  readonly file: string;
  /** `kept`: a person's own skill of this name, or one of ours that a person has changed. */
  readonly status: "written" | "updated" | "unchanged" | "removed" | "kept" | "failed";
  readonly problem: string | null;
}

/**
 * Writes our skills into an agent's folder of skills, or removes them there. A file that a person has written or changed is
 * kept.
 */
export function changeSkills(
  folder: string,
  { isWanted, isDryRun }: { readonly isWanted: boolean; readonly isDryRun: boolean },
): readonly SkillReport[] {
  const reports = Object.entries(SKILLS).map(([skill, text]): SkillReport => {
    const file = join(folder, skill, "SKILL.md");
    const report = { skill, file, problem: null };
    const read = readSettings(file);
    if (!read.ok) return { ...report, status: "failed", problem: read.detail };
    const after = isWanted ? marked(text) : null;
    if (read.text === after) return { ...report, status: "unchanged" };
    if (read.text !== null && !isOurs(read.text)) return { ...report, status: "kept" };
    const status = after === null ? "removed" : read.text === null ? "written" : "updated";
    if (isDryRun) return { ...report, status };
    try {
      if (!replaceFile(file, read.text, after)) return { ...report, status: "kept" };
      if (after === null) removeIfEmpty(dirname(file));
      return { ...report, status };
    } catch (error) {
      return { ...report, status: "failed", problem: describeFault(error) };
    }
  });
  if (!isDryRun && reports.some(({ status }) => status === "removed")) removeIfEmpty(folder);
  return reports;
}

/** A skill of ours ends with the hash of the text above it, so that a later version can tell whether a person has changed it. */
function marked(text: string): string {
  return `${text}\n${MARK}${hash("sha256", text).slice(0, 16)} -->\n`;
}

function isOurs(text: string): boolean {
  const end = text.lastIndexOf(`\n${MARK}`);
  return end !== -1 && marked(text.slice(0, end)) === text;
}

const MARK = "<!-- written by checkpoint init: ";

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty.
  }
}
