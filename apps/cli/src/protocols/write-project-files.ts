import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { replaceFile } from "@agent-checkpoint/files";
import { describeFault, readSettings, unifiedDiff } from "../hooks/settings-file.ts";
import { PROJECT_FILES, type ProjectFile } from "./project-files.ts";

/** Which files are wanted, and whether they are only to be shown. */
export interface ProjectFilesRequest {
  readonly kinds: readonly ProjectFile["kind"][];
  readonly isDryRun: boolean;
}

/** What became of a file. */
export interface ProjectFileReport {
  readonly file: string;
  /** `refused` is a file that was left as it is, and cannot be used or added to. */
  readonly status: "written" | "changed" | "unchanged" | "refused" | "failed";
  readonly problem: string | null;
  /** The change as a unified diff, in a dry run. */
  readonly diff: string | null;
}

/** Writes the wanted files into a project, beside what is there. */
export function writeProjectFiles(root: string, { kinds, isDryRun }: ProjectFilesRequest): ProjectFileReport[] {
  return PROJECT_FILES.filter(({ kind }) => kinds.includes(kind)).map((file) => writeFile(root, file, isDryRun));
}

function writeFile(root: string, { name, plan }: ProjectFile, isDryRun: boolean): ProjectFileReport {
  const file = join(root, name);
  const left = { file, problem: null, diff: null };
  if (leadsOutside(root, file))
    return { ...left, status: "refused", problem: "it lies behind a link that leads out of the project" };
  const read = readSettings(file);
  if (!read.ok) return { ...left, status: "failed", problem: read.message };
  const { after, problem } = plan(read.text);
  if (after === null) return { ...left, status: problem === null ? "unchanged" : "refused", problem };
  const status = read.text === null ? "written" : "changed";
  if (isDryRun) return { ...left, status, diff: unifiedDiff(file, read.text, after) };
  try {
    if (replaceFile(file, read.text, after)) return { ...left, status };
    return { ...left, status: "failed", problem: "another program changed it at the same moment" };
  } catch (error) {
    return { ...left, status: "failed", problem: describeFault(error) };
  }
}

/** Whether a path, as far as it is there, really lies outside of the project. */
function leadsOutside(root: string, path: string): boolean {
  if (!existsSync(path)) return path !== root && leadsOutside(root, dirname(path));
  const [home, real] = [realpathSync(root), realpathSync(path)];
  return real !== home && !real.startsWith(home + sep);
}
