import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GitResult, type GitRunOptions, runGit } from "@agent-checkpoint/git";
import { ensureFolder } from "../files/ensure-folder.ts";
import { SafetyError, type TroubleCode } from "../trouble.ts";
import { foldersOf, type StoreLayout } from "./store-layout.ts";

/** Makes a store, readable by its owner only; a link in the place of one of its folders is refused. */
export async function ensureStore(layout: StoreLayout): Promise<void> {
  ensureFolders(layout);
  if (lstatSync(layout.repository, { throwIfNoEntry: false }) === undefined) await makeRepository(layout);
}

/** Makes the folders of a store without its repository. */
export function ensureFolders(layout: StoreLayout): void {
  const { folder } = layout;
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [folder, ...foldersOf(layout)]) {
    const found = ensureFolder(path);
    if (!found.isDirectory()) throw new SafetyError("io", `${path} is not a folder.`, "Move it away and try again.");
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
}

/** A repository that is made under another name and renamed is whole or not there. */
async function makeRepository({ repository, tmp }: StoreLayout): Promise<void> {
  const draft = join(tmp, "snapshots.git");
  rmSync(draft, { recursive: true, force: true });
  outputOf(
    await runGit(["init", "--quiet", "--bare", "--template=", "--object-format=sha1", draft], {
      cwd: tmp,
      settings: ["init.defaultBranch=none", "init.defaultRefFormat=files"],
    }),
  );
  writeFileSync(join(draft, "config"), CONFIG, { mode: 0o600 });
  mkdirSync(join(draft, "info"), { recursive: true, mode: 0o700 });
  writeFileSync(join(draft, "info", "attributes"), RAW, { mode: 0o600 });
  mkdirSync(join(draft, "refs", "snapshots"), { recursive: true, mode: 0o700 });
  chmodSync(draft, 0o700);
  renameSync(draft, repository);
}

/** What the repository must not take over from a person's settings: bytes, names and times as they are, on the disk when told so. */
const CONFIG = `[core]
	repositoryFormatVersion = 0
	bare = true
	fileMode = true
	symlinks = true
	ignoreCase = false
	precomposeUnicode = false
	protectHFS = false
	protectNTFS = false
	autocrlf = false
	safecrlf = false
	checkStat = default
	trustctime = true
	ignoreStat = false
	splitIndex = false
	untrackedCache = false
	sharedRepository = umask
	compression = 1
	fsync = committed,reference
[fastimport]
	unpackLimit = 1
[pack]
	writeReverseIndex = false
[index]
	version = 2
	skipHash = true
`;

/** Whatever a work tree's own files of attributes say, nothing is converted. */
const RAW = "* -text -filter -ident !eol !crlf !working-tree-encoding\n";

/** Runs git in the repository of a store. */
export function storeGit(
  { repository }: StoreLayout,
  args: readonly string[],
  options: Partial<GitRunOptions> = {},
): Promise<GitResult> {
  return runGit(args, {
    cwd: repository,
    timeoutMs: 600_000,
    maxBytes: Infinity,
    ...options,
    env: { GIT_DIR: repository, ...options.env },
  });
}

/** The output of git, or the trouble it had. */
export function outputOf(result: GitResult): Buffer {
  if (result.ok) return result.stdout;
  throw gitTrouble(result.detail, result.reason === "no-git");
}

/** What git says about itself, as a trouble; its first line says it. */
export function gitTrouble(detail: string, isMissing = false): SafetyError {
  const [line = ""] = detail.split("\n");
  const { code, advice } = GIT_TROUBLES.find(({ said }) => said.test(detail)) ?? { code: "git", advice: null };
  if (isMissing)
    return new SafetyError("git", "Snapshots are stored by git, and there is no `git` here.", "Install git.");
  return new SafetyError(code, `git: ${line}`, advice);
}

const GIT_TROUBLES: readonly { readonly said: RegExp; readonly code: TroubleCode; readonly advice: string | null }[] = [
  {
    said: /No space left on device|Out of diskspace|Disk quota exceeded/,
    code: "no-space",
    advice: "Make room on the disk, or narrow the scope, and try again.",
  },
  { said: /Permission denied|Read-only file system/, code: "not-writable", advice: null },
];

/** Whether a store has a repository, and with it perhaps snapshots. */
export function hasRepository({ repository }: StoreLayout): boolean {
  return existsSync(repository);
}
