import { inlineCode } from "../foreign-text.ts";
import type { Check } from "./check.ts";

/**
 * An edit to a file the agent has not looked at in this turn.
 * Writing a whole file is not editing it, and leaves its contents known; so does reading it in the shell.
 */
export const editWithoutRead: Check = ({ turn }) => {
  const known = new Set<string>();
  const blind = new Map<string, number[]>();
  for (const { number, record, reads, writes } of turn?.calls ?? []) {
    if (record.hadError === true || record.rejected) continue;
    for (const { file } of writes)
      if (record.kind === "edit" && !known.has(file)) blind.set(file, [...(blind.get(file) ?? []), number]);
    for (const { file } of [...reads, ...writes]) known.add(file);
  }
  return [...blind].map(([file, calls]) => ({
    check: "edit-without-read",
    text: `${inlineCode(file)} was edited without being read this turn.`,
    isFailure: false,
    calls,
  }));
};

const MAX_FOLDERS = 3;

/** Changed files in more than three top-level folders; files at the root belong to none. */
export const wideChange: Check = ({ changedFiles }) => {
  const folders = new Set(
    changedFiles.filter((file) => file.includes("/")).map((file) => file.slice(0, file.indexOf("/"))),
  );
  if (folders.size <= MAX_FOLDERS) return [];
  const named = [...folders]
    .toSorted()
    .slice(0, MAX_FOLDERS + 2)
    .map((folder) => inlineCode(folder, 40));
  const more = folders.size - named.length;
  const list = more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
  return [
    {
      check: "wide-change",
      text: `Changes span multiple subsystems (${list}): verify that they belong together.`,
      isFailure: false,
      calls: [],
    },
  ];
};

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

/** The rules of this checkpoint were changed in the turn that they judge. */
export const configChanged: Check = ({ turn, configFile }) => {
  if (configFile === null || turn?.changes.some(({ file }) => file === configFile) !== true) return [];
  const changing = turn.calls.filter(({ writes }) => writes.some(({ file }) => file === configFile));
  return [
    {
      check: "config-changed",
      text: `${inlineCode(configFile)} was changed this turn, and this checkpoint follows the changed rules.`,
      isFailure: false,
      calls: changing.map(({ number }) => number),
    },
  ];
};
