import { inlineCode } from "../foreign-text.ts";
import { fileEffects, joinPath, operandsOf, type ShellCommand } from "@agent-checkpoint/commands";
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

/** None of the changed files is in the plan of the session's work. */
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

/** A way in which a call changes what this checkpoint rests on. */
interface Undermining {
  readonly text: string;
  /** Whether this is about a file that the call wrote, as the call names it. */
  readonly file?: RegExp;
  /** Whether this is about a command that the call ran. */
  readonly isSeenIn?: (argv: readonly string[]) => boolean;
}

/** What an agent can do to its own checkpoint. None of it is forbidden, but all of it is reported. */
const UNDERMININGS: readonly Undermining[] = [
  {
    text: "`checkpoint.config.json` was changed this turn; a change of the rules counts from the next prompt on.",
    file: /(?:^|\/)checkpoint\.config\.json$/,
  },
  {
    text: "The settings that register the hooks of the checkpoint were changed this turn.",
    file: /(?:^|\/)(?:(?:\.claude|\.gemini|\.qwen|\.codex)\/$|\.claude\/settings(?:\.local)?\.json|\.gemini\/settings\.json|\.qwen\/settings\.json|\.codex\/(?:hooks\.json|config\.toml)|agent-checkpoint\.(?:js|json))$/,
  },
  {
    text: "The record or the personal config of the checkpoint was changed this turn.",
    file: /(?:^|\/)\.local\/state\/agent-checkpoint(?:\/|$)/,
  },
  {
    text: "The checkpoint was told to be silent this turn.",
    isSeenIn: isSilencing,
  },
  { text: "`.git` was removed this turn.", file: /(?:^|\/)\.git\/?$/ },
  {
    text: "`.git/info/exclude` was changed this turn: git does not show the files that it names.",
    file: /(?:^|\/)\.git\/info\/exclude$/,
  },
  {
    text: "`git update-index` was told this turn not to show changes of files.",
    isSeenIn: (argv) =>
      gitWords(argv[0] === "xargs" ? argv.slice(argv.indexOf("git")) : argv)[0] === "update-index" &&
      ["--assume-unchanged", "--skip-worktree"].some((word) => argv.includes(word)),
  },
  { text: "git was set up this turn not to show some files.", isSeenIn: isHidingByConfig },
];

/** `checkpoint uninstall` and a snooze that begins, not what only shows them. */
function isSilencing([program = "", ...args]: readonly string[]): boolean {
  if (program !== "checkpoint" || args.some((word) => SHOWS_ONLY.has(word))) return false;
  const [subcommand, time = "list"] = operandsOf(args, ["--session", "--agent", "--reason"]);
  return subcommand === "uninstall" || (subcommand === "snooze" && time !== "list");
}

const SHOWS_ONLY: ReadonlySet<string> = new Set(["--dry-run", "--help", "-h", "--off"]);

/** `git config` that gives a value to a key by which git no longer shows files. */
function isHidingByConfig(argv: readonly string[]): boolean {
  const [subcommand, ...words] = gitWords(argv, ["-f", "--file", "--blob", "--type", "--comment"]);
  if (subcommand !== "config" || argv.some((word) => /^--(?:get|unset)/.test(word))) return false;
  const [key = "", value] = words[0] === "set" ? words.slice(1) : words;
  return value !== undefined && /^core\.(?:excludesfile|worktree|ignorestat)$/i.test(key);
}

/** A pattern that every such command line contains; most lines of a turn need no second look. */
const HINT = /checkpoint|\.git\b|\.claude|\.gemini|\.qwen|\.codex|stash|update-index|core\./i;

/** The agent changed what this checkpoint rests on: its rules, the hooks, its record, or what git shows. */
export const configChanged: Check = ({ turn, haveRulesChanged }) => {
  const acts = (turn?.calls ?? []).filter(
    ({ record }) => record.hadError !== true && !record.rejected && record.kind !== "read",
  );
  const calls = acts
    .filter(({ record }) => [record.command ?? "", record.cwd ?? "", ...record.files].some((text) => HINT.test(text)))
    .map(({ number, record, commands }) => ({
      number,
      commands,
      files: [...record.files, ...commands.flatMap((command) => pathsChangedBy(command, record.cwd ?? "."))],
    }));
  const seen = UNDERMININGS.map(({ text, file, isSeenIn }) => ({
    text,
    calls: calls.filter(
      ({ commands, files }) =>
        (file !== undefined && files.some((path) => file.test(path))) ||
        (isSeenIn !== undefined && commands.some(({ argv }) => isSeenIn(argv))),
    ),
  }));
  // Where no call names a config, a program that a call started may have changed it; if none ran, a person did.
  const isUnnamed = haveRulesChanged && seen.every((row) => row.calls.length === 0);
  const byProgram = isUnnamed ? acts.filter(({ record }) => record.kind === "shell").slice(-1) : [];
  return [...seen, { text: STASHED, calls: leftInStash(calls) }, { text: UNNAMED, calls: byProgram }]
    .filter((row) => row.calls.length > 0)
    .map(({ text, calls: own }) => ({
      check: "config-changed",
      text,
      isFailure: false,
      calls: own.map(({ number }) => number),
    }));
};

/** The paths that a command changes, as far as its words tell; a folder that it removes ends with a slash. */
function pathsChangedBy(command: ShellCommand, cwd: string): readonly string[] {
  const argv = command.argv.map(withoutVariables);
  const { writes, removes } = fileEffects({ ...command, argv, redirectsTo: command.redirectsTo.map(withoutVariables) });
  const folder = joinPath(cwd, command.folder ?? ".");
  const absolute = (path: string) => joinPath(folder, path);
  return [...[...writes, ...alteredBy(argv)].map(absolute), ...removes.map((path) => `${absolute(path)}/`)];
}

/** A path whose variables have their usual values. */
function withoutVariables(word: string): string {
  return word
    .replace(/^\$(?:\{CHECKPOINT_HOME\}|CHECKPOINT_HOME\b)/, "~/.local/state/agent-checkpoint")
    .replace(/^\$(?:\{XDG_STATE_HOME\}|XDG_STATE_HOME\b)/, "~/.local/state")
    .replace(/^\$(?:\{HOME\}|HOME\b)/, "~");
}

/** What a program alters that is not known to write: nothing of it is evidence, so only this check asks. */
function alteredBy([program = "", ...args]: readonly string[]): readonly string[] {
  const operands = operandsOf(args);
  if (program === "chmod" || program === "chown" || program === "sponge") return operands;
  if (program === "find") return args.includes("-delete") ? operands.slice(0, 1) : [];
  const isAltering = /\b(?:delete|update|insert|replace|drop|alter)\b/i.test(operands.slice(1).join(" "));
  return program === "sqlite3" && isAltering ? operands.slice(0, 1) : [];
}

/** The subcommand of git and its operands; empty for another program. */
function gitWords([program, ...args]: readonly string[], valued: readonly string[] = []): readonly string[] {
  return program === "git" ? operandsOf(args, ["-C", "-c", ...valued]) : [];
}

const UNNAMED = "The rules of the checkpoint changed this turn; the new ones count from the next prompt on.";

const STASHED = "Work was put away with `git stash` this turn and not brought back: git does not show it as changed.";

const BRINGS_BACK: ReadonlySet<string> = new Set(["pop", "apply", "branch"]);
const LOOKS: ReadonlySet<string> = new Set(["list", "show", "drop", "clear", "create", "store"]);

/** The calls that put work away, except those whose work was brought back. */
function leftInStash<Call extends { readonly commands: readonly { readonly argv: readonly string[] }[] }>(
  calls: readonly Call[],
): readonly Call[] {
  const away: Call[] = [];
  for (const call of calls)
    for (const { argv } of call.commands) {
      const [subcommand, what = "push"] = gitWords(argv);
      if (subcommand !== "stash" || LOOKS.has(what)) continue;
      if (BRINGS_BACK.has(what)) away.pop();
      else away.push(call);
    }
  return away;
}
