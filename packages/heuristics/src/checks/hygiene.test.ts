import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { PRESETS } from "@agent-checkpoint/categories";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "../weigh-turn.ts";
import { edit, NO_TRANSCRIPT, PROJECT, read, shell, turnOf, write } from "../test-calls.ts";
import type { CheckpointContext } from "../types.ts";
import { plannedFiles } from "./hygiene.ts";

const context: CheckpointContext = { projectPath: PROJECT, workingSlug: null, agentName: "gemini" };

const textsOf = (check: string, files: string[], calls: ToolCallRecord[], more: Partial<CheckpointContext> = {}) =>
  runHeuristics(files, turnOf(...calls), { ...context, ...more })
    .findings.filter((finding) => finding.check === check)
    .map(({ text }) => text);

describe("edit without read", () => {
  const blind = ["`a.ts` was edited without being read this turn."];
  const rows: { turn: string; calls: ToolCallRecord[]; says: string[] }[] = [
    { turn: "read, then edited", calls: [read("a.ts"), edit("a.ts")], says: [] },
    { turn: "edited unseen", calls: [edit("a.ts")], says: blind },
    { turn: "edited unseen twice", calls: [edit("a.ts"), edit("a.ts")], says: blind },
    { turn: "read after the edit", calls: [edit("a.ts"), read("a.ts")], says: blind },
    { turn: "the edit failed", calls: [edit("a.ts", { hadError: true })], says: [] },
    { turn: "the read failed", calls: [read("a.ts", { hadError: true }), edit("a.ts")], says: blind },
    { turn: "the edit was refused", calls: [edit("a.ts", { rejected: true })], says: [] },
    { turn: "written, then edited", calls: [write("a.ts"), edit("a.ts")], says: [] },
    { turn: "only written", calls: [write("a.ts")], says: [] },
    { turn: "read in the shell", calls: [shell("sed -n '1,80p' a.ts"), edit("a.ts")], says: [] },
    { turn: "read in the shell in its folder", calls: [shell("cd src && cat a.ts"), edit("src/a.ts")], says: [] },
    { turn: "made in the shell", calls: [shell("cat > a.ts <<EOF\nx\nEOF"), edit("a.ts")], says: [] },
    { turn: "read by absolute path", calls: [read(`${PROJECT}/a.ts`), edit("./a.ts")], says: [] },
    {
      turn: "read in a folder of its own",
      calls: [read("a.ts", { cwd: `${PROJECT}/src` }), edit(`${PROJECT}/src/a.ts`)],
      says: [],
    },
    { turn: "only searched", calls: [read("a.ts", { kind: "search" }), edit("a.ts")], says: blind },
    { turn: "edited outside the project", calls: [edit("/etc/hosts")], says: [] },
  ];
  test.for(rows)("$turn", ({ calls, says }) => {
    expect(textsOf("edit-without-read", [], calls)).toEqual(says);
  });

  test("the root may be a link", () => {
    const calls = [read("/private/home/dev/project/a.ts"), edit("a.ts")];
    expect(textsOf("edit-without-read", [], calls, { projectAliases: ["/private/home/dev/project"] })).toEqual([]);
  });
});

test("hygiene is said, and is no failure to block for", () => {
  const files = ["a/x", "b/y", "c/z", "d/w"];
  const more = { workingSlug: "my-slug", plan: "## Files to Change\n| `src/a.py` |" };
  const result = runHeuristics(files, turnOf(shell("ls"), edit("checkpoint.config.json")), {
    ...context,
    ...more,
    rules: PRESETS.generic,
  });
  expect(result.findings.map(({ check, isFailure, calls }) => ({ check, isFailure, calls }))).toEqual([
    { check: "edit-without-read", isFailure: false, calls: [2] },
    { check: "wide-change", isFailure: false, calls: [] },
    { check: "working-slug", isFailure: false, calls: [] },
    { check: "config-changed", isFailure: false, calls: [2] },
  ]);
});

describe("wide change", () => {
  const rows = [
    { folders: "two", files: ["a/x", "b/y"], says: [] },
    { folders: "three, and files at the root", files: ["a/x", "b/y", "c/z", "one", "two"], says: [] },
    {
      folders: "four",
      files: ["d/x", "c/x", "b/y", "a/z", "a/zz"],
      says: ["Changes span multiple subsystems (`a`, `b`, `c`, `d`): verify that they belong together."],
    },
    {
      folders: "seven",
      files: ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x", "g/x"],
      says: [
        "Changes span multiple subsystems (`a`, `b`, `c`, `d`, `e` and 2 more): verify that they belong together.",
      ],
    },
  ];
  test.for(rows)("$folders", ({ files, says }) => {
    expect(textsOf("wide-change", files, [])).toEqual(says);
  });

  test("needs no transcript", () => {
    const result = runHeuristics(["a/x", "b/y", "c/z", "d/w"], NO_TRANSCRIPT, context);
    expect(result.findings.map(({ check }) => check)).toEqual(["wide-change"]);
  });
});

describe("working slug", () => {
  const plan = [
    "# Plan",
    "## Files to Change",
    "",
    "| File | Change |",
    "| --- | --- |",
    "| `src/a.py` | edit |",
    "| `src/new.py` (NEW) | add |",
    "| docs/ | text |",
    "| `lib/**` | all |",
    "",
    "## Tasks",
    "| `src/other.py` | not here |",
  ].join("\n");

  test("the table gives the planned files", () => {
    expect(plannedFiles(plan)).toEqual(["src/a.py", "src/new.py", "docs/", "lib/**"]);
  });

  const tables: { plan: string; files: string[] }[] = [
    { plan: "no heading\n| `a.py` | x |", files: [] },
    { plan: "## Files to Change\n\n| `a.py` | x |", files: ["a.py"] },
    { plan: "######   files to change (draft)\r\n| `a.py` |\r\n", files: ["a.py"] },
    { plan: "# Files to Changeover\n| `a.py` | x |", files: [] },
    { plan: "see # Files to Change\n| `a.py` | x |", files: [] },
    { plan: "## Files to Change\n| `a.py` | x |\n# Next\n| `b.py` | x |", files: ["a.py"] },
    { plan: "## Files to Change\n| `a.py` | see # 3 |\n#tag\n| `b.py` | x |", files: ["a.py", "b.py"] },
    { plan: "# Files to Change\n## Next\n| `a.py` | x |", files: [] },
    { plan: "## Files to Change\n  | `a.py` | x |\nwords | `b.py` | x |\n| `c.py`", files: ["a.py"] },
    { plan: "## Files to Change\n| | x |\n| :---: | --- |\n| ---: | x |\n| FILES | x |", files: [] },
    {
      plan: "## Files to Change\n| -a.py | x |\n| a--- | x |\n| files.py | x |\n| my file | x |",
      files: ["-a.py", "a---", "files.py", "my"],
    },
    {
      plan: "## Files to Change\n| `./a.py` | x |\n| x./b.py | x |\n| new `c d.py` `e.py` | x |",
      files: ["a.py", "x./b.py", "c d.py"],
    },
  ];
  test.for(tables)("$plan", ({ plan: text, files }) => {
    expect(plannedFiles(text)).toEqual(files);
  });

  const entries: { entry: string; covers: string[]; doesNot: string[] }[] = [
    { entry: "src/a.py", covers: ["src/a.py"], doesNot: ["src/a.pyc", "src/b.py", "a.py"] },
    { entry: "src", covers: ["src/a.py", "src/b/c.py"], doesNot: ["srcs/a.py", "lib/src/a.py"] },
    { entry: "src/", covers: ["src/a.py"], doesNot: ["srcs/a.py"] },
    { entry: "src/b/", covers: ["src/b/c.py"], doesNot: ["src/a.py", "srcb/c.py"] },
    { entry: "src/*.py", covers: ["src/a.py"], doesNot: ["lib/a.py"] },
    { entry: "src*", covers: ["src/a.py"], doesNot: ["srcs/a.py"] },
    { entry: "src/**/x/*", covers: ["src/a.py"], doesNot: ["lib/x/a.py"] },
    { entry: "**", covers: [], doesNot: ["a.py", "/a.py"] },
  ];
  test.for(entries)("$entry is planned", ({ entry, covers, doesNot }) => {
    const more = { workingSlug: "my-slug", plan: `## Files to Change\n| \`${entry}\` | x |` };
    const isPlanned = (file: string) => textsOf("working-slug", [file], [], more).length === 0;
    expect([...covers, ...doesNot].filter(isPlanned)).toEqual(covers);
  });

  const drift = ["None of the changed files is in the plan of `my-slug`: verify that the work matches it."];
  const rows = [
    { title: "no overlap", files: ["src/other.py"], more: { workingSlug: "my-slug", plan }, says: drift },
    { title: "some overlap", files: ["src/other.py", "src/a.py"], more: { workingSlug: "my-slug", plan }, says: [] },
    { title: "below a planned folder", files: ["docs/x/y.md"], more: { workingSlug: "my-slug", plan }, says: [] },
    { title: "below a planned glob", files: ["lib/x.py"], more: { workingSlug: "my-slug", plan }, says: [] },
    { title: "no slug", files: ["src/other.py"], more: { workingSlug: null, plan }, says: [] },
    { title: "no plan", files: ["src/other.py"], more: { workingSlug: "my-slug", plan: null }, says: [] },
    {
      title: "a plan without a table",
      files: ["src/other.py"],
      more: { workingSlug: "my-slug", plan: "# Plan" },
      says: [],
    },
    { title: "nothing changed", files: [], more: { workingSlug: "my-slug", plan }, says: [] },
  ];
  test.for(rows)("$title", ({ files, more, says }) => {
    expect(textsOf("working-slug", files, [], more)).toEqual(says);
  });
});

describe("config changed", () => {
  const config =
    "`checkpoint.config.json` was changed this turn; a change of the rules counts from the next prompt on.";
  const hooks = "The settings that register the hooks of the checkpoint were changed this turn.";
  const record = "The record or the personal config of the checkpoint was changed this turn.";
  const silent = "The checkpoint was told to be silent this turn.";
  const exclude = "`.git/info/exclude` was changed this turn: git does not show the files that it names.";
  const index = "`git update-index` was told this turn not to show changes of files.";
  const settings = "git was set up this turn not to show some files.";
  const stash = "Work was put away with `git stash` this turn and not brought back: git does not show it as changed.";
  const rows = [
    { turn: "the config edited", calls: [edit("checkpoint.config.json")], says: [config] },
    { turn: "the config overwritten", calls: [shell("echo '{}' > checkpoint.config.json")], says: [config] },
    { turn: "the config removed", calls: [shell("rm -f checkpoint.config.json")], says: [config] },
    { turn: "the config read", calls: [read("checkpoint.config.json"), shell("cat checkpoint.config.json")], says: [] },
    {
      turn: "an edit of the config that failed",
      calls: [edit("checkpoint.config.json", { hadError: true })],
      says: [],
    },
    { turn: "another file", calls: [edit("other.json")], says: [] },
    { turn: "a person's settings", calls: [edit("/home/dev/.claude/settings.json")], says: [hooks] },
    { turn: "the project's settings", calls: [shell("rm .claude/settings.local.json")], says: [hooks] },
    { turn: "Codex's settings", calls: [shell("cp /tmp/x ~/.codex/hooks.json")], says: [hooks] },
    { turn: "Qwen Code's settings", calls: [edit("/home/dev/.qwen/settings.json")], says: [hooks] },
    { turn: "our plugin removed", calls: [shell("rm ~/.config/opencode/plugins/agent-checkpoint.js")], says: [hooks] },
    { turn: "our hooks file removed", calls: [shell("rm .github/hooks/agent-checkpoint.json")], says: [hooks] },
    { turn: "settings of another program", calls: [edit("/home/dev/.config/settings.json")], says: [] },
    {
      turn: "settings in the folder gone to",
      calls: [shell("cd ~/.claude && echo '{}' > settings.json")],
      says: [hooks],
    },
    {
      turn: "settings in the folder of the call",
      calls: [shell("rm settings.json", { cwd: "/home/dev/.claude" })],
      says: [hooks],
    },
    {
      turn: "settings below $HOME",
      calls: [shell('sed -i "/checkpoint/d" "$HOME/.claude/settings.json"')],
      says: [hooks],
    },
    {
      turn: "settings through a pipe",
      calls: [shell("jq 'del(.hooks)' ~/.claude/settings.json | sponge ~/.claude/settings.json")],
      says: [hooks],
    },
    { turn: "the folder of the settings removed", calls: [shell("rm -rf .claude")], says: [hooks] },
    { turn: "a skill copied beside the settings", calls: [shell("cp -r skills .claude")], says: [] },
    { turn: "the settings looked at", calls: [shell("cd ~/.claude && jq .hooks settings.json")], says: [] },
    { turn: "the config a link", calls: [shell("ln -sf /tmp/none.json checkpoint.config.json")], says: [config] },
    {
      turn: "the config removed by a program",
      calls: [shell(`python3 -c "import os; os.remove('checkpoint.config.json')"`)],
      says: [config],
    },
    { turn: "the record", calls: [shell("rm -rf ~/.local/state/agent-checkpoint")], says: [record] },
    { turn: "the record below $HOME", calls: [shell("rm -rf $HOME/.local/state/agent-checkpoint")], says: [record] },
    { turn: "the record by its variable", calls: [shell('rm -rf "${CHECKPOINT_HOME}"')], says: [record] },
    {
      turn: "the record found",
      calls: [shell("find ~/.local/state/agent-checkpoint -name '*.db' -delete")],
      says: [record],
    },
    {
      turn: "the record rewritten",
      calls: [shell("sqlite3 ~/.local/state/agent-checkpoint/checkpoint.db 'DELETE FROM stops'")],
      says: [record],
    },
    {
      turn: "the record looked at",
      calls: [
        shell("sqlite3 ~/.local/state/agent-checkpoint/checkpoint.db 'SELECT * FROM stops'; find $CHECKPOINT_HOME"),
      ],
      says: [],
    },
    { turn: "the record closed", calls: [shell("chmod 000 ~/.local/state/agent-checkpoint")], says: [record] },
    { turn: "uninstalled", calls: [shell("cd /tmp && npx checkpoint uninstall")], says: [silent] },
    { turn: "snoozed", calls: [shell("CLAUDECODE= checkpoint snooze 2h")], says: [silent] },
    { turn: "a session snoozed", calls: [shell("checkpoint snooze --session 3f1c0d77 2h")], says: [silent] },
    { turn: "a snooze ended", calls: [shell("checkpoint snooze --off")], says: [] },
    {
      turn: "only shown",
      calls: [shell("checkpoint uninstall --dry-run"), shell("checkpoint uninstall --help")],
      says: [],
    },
    {
      turn: "snoozes looked at",
      calls: ["list", "", "--json", "list --json", "--help"].map((words) => shell(`checkpoint snooze ${words}`)),
      says: [],
    },
    { turn: "refused", calls: [shell("checkpoint uninstall", { hadError: true })], says: [] },
    { turn: "git removed", calls: [shell("rm -rf .git")], says: ["`.git` was removed this turn."] },
    { turn: "files excluded", calls: [shell("echo src >> .git/info/exclude")], says: [exclude] },
    { turn: "files ignored for all", calls: [shell("echo dist >> .gitignore")], says: [] },
    { turn: "changes hidden", calls: [shell("git update-index --assume-unchanged src/a.ts")], says: [index] },
    { turn: "changes hidden elsewhere", calls: [shell("git -C . update-index --skip-worktree a")], says: [index] },
    { turn: "changes shown again", calls: [shell("git update-index --no-assume-unchanged a")], says: [] },
    {
      turn: "files excluded in the folder gone to",
      calls: [shell("cd .git/info && echo '*' >> exclude")],
      says: [exclude],
    },
    ...[
      "git config core.excludesFile .hidden",
      "git config --global core.excludesfile /tmp/x",
      "git -C . config set --local core.worktree /tmp/else",
      "git config --file .git/config core.ignoreStat true",
      "git ls-files -z | xargs -0 git update-index --assume-unchanged",
    ].map((line) => ({ turn: line, calls: [shell(line)], says: line.includes("config") ? [settings] : [index] })),
    ...[
      "git config core.excludesFile",
      "git config --get core.worktree",
      "git config --unset core.excludesFile",
      "git config get core.excludesFile",
      "git config user.name core.worktree",
      "git config alias.x core.excludesFile",
    ].map((line) => ({ turn: line, calls: [shell(line)], says: [] })),
    { turn: "work put away", calls: [shell("git stash -u")], says: [stash] },
    { turn: "work put away and brought back", calls: [shell("git stash push -m x"), shell("git stash pop")], says: [] },
    {
      turn: "work put away twice, brought back once",
      calls: [shell("git stash; git stash; git stash pop")],
      says: [stash],
    },
    { turn: "work put away under a name", calls: [shell("git -C . stash -m later")], says: [stash] },
    { turn: "stashes looked at", calls: [shell("git stash list")], says: [] },
  ];
  test.for(rows)("$turn", ({ calls, says }) => {
    expect(textsOf("config-changed", [], calls)).toEqual(says);
  });
});
