import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { fastFolder } from "./fast-folder.ts";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import type { SafetyOptions } from "../place.ts";

/** A folder of a test's own, with a home beside it. */
export interface Workspace {
  readonly root: string;
  readonly options: SafetyOptions;
  readonly write: (path: string, content: string | Buffer, mode?: number) => void;
  readonly read: (path: string) => string;
  readonly git: (...args: string[]) => string;
}

/** A new workspace, removed when the test has finished; by default a repository. */
export function createWorkspace({
  git: hasGit = true,
  committed = {},
}: { readonly git?: boolean; readonly committed?: Readonly<Record<string, string>> } = {}): Workspace {
  const top = fastFolder("safety-");
  onTestFinished(() => removeAll(top));
  const root = join(top, "work");
  for (const folder of [root, join(top, "home"), join(top, "user")]) mkdirSync(folder);
  const write = (path: string, content: string | Buffer, mode?: number): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (mode !== undefined) chmodSync(join(root, path), mode);
  };
  const git = (...args: string[]): string => runTestGit(root, args);
  if (hasGit) git("init", "--quiet", "--initial-branch=main");
  for (const [path, content] of Object.entries(committed)) write(path, content);
  if (hasGit && Object.keys(committed).length > 0) {
    git("add", "--all");
    git("commit", "--quiet", "--message", "first");
  }
  return {
    root,
    options: { cwd: root, home: join(top, "home"), userHome: join(top, "user"), lockWaitMs: 5000 },
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    git,
  };
}

/** Runs git for a test, with an identity and nothing of the environment. */
export function runTestGit(cwd: string, args: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return execFileSync(
    "git",
    ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "protocol.file.allow=always", ...args],
    {
      cwd,
      env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
}

/** Everything below a folder but what the program keeps there: kind, permissions, contents, and the time of the last change. */
export function photograph(
  root: string,
  { times = false }: { readonly times?: boolean } = {},
): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  const visit = (folder: string, prefix: string): void => {
    for (const name of readdirSync(Buffer.from(folder, "latin1"), { encoding: "latin1" }).sort()) {
      const bytes = Buffer.from(`${folder}/${name}`, "latin1");
      const path = prefix + name;
      if (path === ".git" || path === ".checkpoints" || path === ".audit") continue;
      const stats = lstatSync(bytes, { bigint: true });
      const facts = `${(stats.mode & 0o7777n).toString(8)}${times ? ` ${stats.mtimeNs}` : ""}`;
      if (stats.isDirectory()) {
        seen[`${path}/`] = facts;
        visit(bytes.toString("latin1"), `${path}/`);
      } else if (stats.isSymbolicLink()) seen[path] = `link ${readlinkSync(bytes, { encoding: "latin1" })}`;
      else seen[path] = `${facts} ${stats.isFile() ? readFileSync(bytes).toString("latin1") : "special"}`;
    }
  };
  visit(Buffer.from(root).toString("latin1"), "");
  return seen;
}

/** What of a repository must stay as it is: its index byte for byte, refs, HEAD, stash list. */
export function photographGit(root: string): Readonly<Record<string, string>> {
  const git = (...args: string[]): string => runTestGit(root, args);
  const folder = git("rev-parse", "--absolute-git-dir").trim();
  return {
    index: safely(() => readFileSync(join(folder, "index"), "latin1")),
    head: readFileSync(join(folder, "HEAD"), "utf8"),
    refs: git("for-each-ref"),
    stash: git("stash", "list"),
    objects: git("count-objects", "-v"),
  };
}

function safely(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    execFileSync("chmod", ["-R", "u+rwx", path]);
    rmSync(path, { recursive: true, force: true });
  }
}
