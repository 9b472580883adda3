import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { cacheFolder } from "./cache-folder.ts";

/** The throw-away home and project of a run. Inside the namespace they have the names of `INSIDE`. */
export interface Sandbox {
  /** The folder that holds everything of the run. */
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly remove: () => Promise<void>;
}

/** What a CLI sees: the same names on every machine, so that recordings need no guessing. */
export const INSIDE = { home: "/home/dev", project: "/home/dev/project" } as const;

/** Creates a home with a git repository in it whose one commit holds the given files. */
export async function createSandbox(files: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const runs = join(cacheFolder(), "runs");
  await mkdir(runs, { recursive: true });
  const folder = await mkdtemp(join(runs, "run-"));
  const home = join(folder, "home");
  const project = join(home, "project");
  await mkdir(project, { recursive: true });
  await writeFiles(home, { ".gitconfig": "[user]\n\tname = Dev\n\temail = dev@example.com\n" });
  await writeFiles(project, files);
  const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => execa("git", args, { cwd: project, env, extendEnv: false });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--allow-empty", "--message=Start");
  return { folder, home, project, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Writes files, given as paths relative to a folder with their contents. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
