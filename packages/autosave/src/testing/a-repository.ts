import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SAVE_DEFAULTS, type SaveRules } from "@agent-checkpoint/categories";
import { execa } from "execa";
import { type SaveReport, saveWork, type SaveOptions, type SaveRequest } from "../index.ts";
import { agentSession, type AgentSession } from "./agent-session.ts";
import { scratchFolder } from "./scratch.ts";

/** A repository on a branch of its own, with an agent at work in it. */
export interface ARepository {
  readonly project: string;
  readonly folder: string;
  readonly agent: AgentSession;
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** Writes a file as a person would. */
  readonly put: (path: string, text: string) => void;
  readonly hook: (name: string, script: string) => void;
  readonly request: (
    changes?: Partial<Omit<SaveRequest, "rules">> & { readonly rules?: Partial<SaveRules> },
  ) => SaveRequest;
  readonly save: (changes?: Parameters<ARepository["request"]>[0], options?: SaveOptions) => Promise<SaveReport>;
  /** What the last commit changed. */
  readonly lastCommit: () => Promise<readonly string[]>;
  /** HEAD, the index and the work tree, to be compared. */
  readonly state: () => Promise<object>;
}

/** Makes a repository with `a.txt` and `b.txt` committed. */
export async function aRepository({ branch = "work" }: { readonly branch?: string } = {}): Promise<ARepository> {
  const folder = scratchFolder();
  const project = join(folder, "project");
  mkdirSync(project);
  const git = async (...args: readonly string[]) =>
    (await execa("git", args, { cwd: project, env: ENVIRONMENT, stripFinalNewline: true })).stdout;
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  await git("init", "--quiet", `--initial-branch=${branch}`);
  await git("config", "user.name", "Dev");
  await git("config", "user.email", "dev@example.com");
  await git("config", "commit.gpgSign", "false");
  put("a.txt", "one\ntwo\nthree\n");
  put("b.txt", "one\ntwo\nthree\n");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "first");
  const agent = agentSession(project, join(folder, "transcripts"));
  const request: ARepository["request"] = ({ rules, ...changes } = {}) => ({
    agent: "claude",
    sessionId: agent.sessionId,
    projectPath: project,
    transcriptPath: agent.transcriptPath,
    trigger: "stop",
    percent: 43,
    rules: { ...SAVE_DEFAULTS, ...rules },
    openActions: ["Run `make restart`"],
    failures: [],
    baseline: null,
    home: join(folder, "home"),
    userHome: join(folder, "user"),
    budgetMs: 20_000,
    ...changes,
  });
  return {
    project,
    folder,
    agent,
    git,
    put,
    hook: (name, script) => {
      const file = join(project, ".git", "hooks", name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    },
    request,
    save: (changes, options) => saveWork(request(changes), options),
    lastCommit: async () =>
      (await git("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD")).split("\n").filter(Boolean),
    state: async () => ({
      head: await git("rev-parse", "HEAD"),
      branch: await git("rev-parse", "--abbrev-ref", "HEAD"),
      index: await git("ls-files", "--stage"),
      status: await git("status", "--porcelain=v1", "--untracked-files=all"),
      differences: await git("diff", "HEAD"),
    }),
  };
}

/** Nothing of the machine's own git settings. */
const ENVIRONMENT = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
