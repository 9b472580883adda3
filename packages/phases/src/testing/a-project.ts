import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openPhases, type Phases, type PhasesOptions } from "../open-phases.ts";

/** A project in a folder of its own, with what its phases wrote to the log. */
export interface TestProject extends Phases {
  readonly root: string;
  readonly stateDir: string;
  readonly lines: string[];
  /** Runs git in the project and returns what it printed. */
  readonly git: (...args: string[]) => string;
  /** Makes an empty commit and returns its name. */
  readonly commit: () => string;
  /** The text of a state file. */
  readonly read: (name: string) => string;
  /** The names in the state folder, without the file that hides them from git. */
  readonly names: () => string[];
  /** Writes a state file by another hand. */
  readonly write: (name: string, content: string | object) => void;
}

/** A project without a repository; it is gone after the test. */
export function plainProject(options: PhasesOptions = {}): TestProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoint-phases-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const stateDir = join(root, ".claude", "state");
  const lines: string[] = [];
  const git = (...args: string[]) =>
    execFileSync("git", [...IDENTITY, ...args], { cwd: root, encoding: "utf8" }).trim();
  return {
    ...openPhases({ root, logError: (line) => lines.push(line), ...options }),
    root,
    stateDir,
    lines,
    git,
    commit: () => {
      git("commit", "--quiet", "--allow-empty", "--message", "work");
      return git("rev-parse", "HEAD");
    },
    read: (name) => readFileSync(join(stateDir, name), "utf8"),
    names: () => readdirSync(stateDir).filter((name) => name !== ".gitignore"),
    write: (name, content) => {
      const text = typeof content === "string" ? content : JSON.stringify(content);
      mkdirSync(stateDir, { recursive: true });
      writeFileSync(join(stateDir, name), text);
    },
  };
}

/** A project that is a repository with one commit. */
export function aProject(options: PhasesOptions = {}): TestProject {
  const project = plainProject(options);
  project.git("init", "--quiet", "--initial-branch", "main");
  project.commit();
  return project;
}

const IDENTITY = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgSign=false"];
