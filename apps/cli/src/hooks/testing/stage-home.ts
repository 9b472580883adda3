import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import type { Environment } from "../../environment.ts";
import { type CliRun, runCheckpoint } from "../../testing/run-checkpoint.ts";

/** A person's home and a repository of a test's own. */
export interface StagedHome {
  readonly userHome: string;
  readonly repository: string;
  readonly run: (args: string, given?: Partial<Environment>) => Promise<CliRun>;
  /** A path below the home folder. */
  readonly at: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  /** Every file below the home folder and the repository but skills, with its contents. */
  readonly files: () => Readonly<Record<string, string>>;
  /** Every skill below the home folder and the repository, with its text. */
  readonly skills: () => Readonly<Record<string, string>>;
}

/** The fixed time of these tests, as a backup's name has it. */
export const STAMP = "20260302T090000Z";

/** Makes a home with the settings folders of some agents; no agent's program is on the PATH. */
export function stageHome(agents: readonly string[] = ["claude", "gemini", "codex"]): StagedHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-checkpoint-hooks-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const userHome = join(folder, "home");
  const repository = join(folder, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  mkdirSync(userHome);
  for (const agent of agents) mkdirSync(join(userHome, `.${agent}`));
  const at = (path: string) => join(userHome, path);
  const all = (isMeant: (path: string) => boolean) =>
    Object.fromEntries(
      Object.entries({ ...filesBelow(userHome), ...filesBelow(repository) }).filter(([path]) => isMeant(path)),
    );
  return {
    userHome,
    repository,
    run: (args, given = {}) =>
      runCheckpoint(args.split(" "), {
        cwd: repository,
        userHome,
        home: join(folder, "store"),
        env: { PATH: "/nowhere" },
        columns: 200,
        now: () => new Date("2026-03-02T09:00:00Z"),
        ...given,
      }),
    at,
    write: (path, text) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    read: (path) => readFileSync(at(path), "utf8"),
    files: () => all((path) => !path.includes("/skills/")),
    skills: () => all((path) => path.includes("/skills/")),
  };
}

/** Makes a program that tells a version, and gives the folder to put on the PATH. */
export function stageProgram(
  folder: string,
  { program, version }: { readonly program: string; readonly version: string },
): string {
  const path = join(folder, "programs", program);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho '${version}'\n`);
  chmodSync(path, 0o755);
  return dirname(path);
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
}
