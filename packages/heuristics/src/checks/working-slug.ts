import { inlineCode } from "../inline-code.ts";
import type { Check } from "./check.ts";

/** Changed files of which none is in the plan of the work that the session is set to. */
export const workingSlug: Check = ({ changedFiles, workingSlug: slug, plan }) => {
  if (slug === null || plan === null || changedFiles.length === 0) return [];
  const planned = plannedFiles(plan);
  if (planned.length === 0 || changedFiles.some((file) => planned.some((entry) => isPlanned(file, entry)))) return [];
  return [
    {
      check: "working-slug",
      text: `None of the changed files is in the plan of ${inlineCode(slug, 60)}: verify that the work matches it.`,
      isFailure: false,
      calls: [],
    },
  ];
};

/** The files of the plan's "Files to Change" table: the first cell of each row, without backticks and remarks. */
export function plannedFiles(plan: string): readonly string[] {
  const lines = plan.split(/\r?\n/);
  const heading = lines.findIndex((line) => /^#{1,6}\s+files to change\b/i.test(line));
  if (heading === -1) return [];
  const section = lines.slice(heading + 1);
  const end = section.findIndex((line) => /^#{1,6}\s/.test(line));
  return (end === -1 ? section : section.slice(0, end)).flatMap((line) => {
    const cell = /^\s*\|([^|]*)\|/.exec(line)?.[1]?.trim() ?? "";
    if (cell === "" || /^:?-+:?$/.test(cell) || /^files?$/i.test(cell)) return [];
    const path = /`([^`]+)`/.exec(cell)?.[1] ?? cell.split(/\s/)[0] ?? "";
    return [path.replace(/^\.\//, "")];
  });
}

/** A planned folder or glob covers what lies below it. */
function isPlanned(file: string, entry: string): boolean {
  const folder = entry.replace(/\/?\*.*$/, "").replace(/\/$/, "");
  return file === entry || (folder !== "" && file.startsWith(`${folder}/`));
}
