import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import { execa, execaSync } from "execa";
import { beforeEach, describe, expect, test } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { completionTree } from "./completion-tree.ts";
import { SCRIPTS } from "./scripts.ts";

/** A program with everything that completion has to tell apart. */
function createTool(): Command {
  const config = new Command("config")
    .description("The [config]: it's yours")
    .addCommand(new Command("check").description("Look at it").option("--json", "print JSON"))
    .addCommand(new Command("show").description("Show it"));
  const stats = new Command("stats")
    .description("Count")
    .addOption(new Option("-a, --agent <name>", "whose").choices(["claude", "codex"]))
    .option("--since <time>", "from when on")
    .option("--out <file>", "where to")
    .addOption(new Option("--secret").hideHelp());
  const pause = new Command("pause")
    .description("Wait")
    .argument("[for...]", "how long")
    .addCommand(new Command("list").description("What waits"));
  return new Command("tool")
    .version("1")
    .addCommand(config)
    .addCommand(stats)
    .addCommand(pause)
    .addCommand(new Command("replay").argument("[transcripts...]", "what to read"))
    .addCommand(new Command("completion").addArgument(new Argument("<shell>").choices(["bash", "zsh"])))
    .addCommand(new Command("hidden"), { hidden: true });
}

/** What is completed at the end of a line, by what is typed there. */
const LINES: readonly { readonly line: string; readonly words: readonly string[] }[] = [
  { line: "tool ", words: ["completion", "config", "pause", "replay", "stats"] },
  { line: "tool st", words: ["stats"] },
  { line: "tool config ", words: ["check", "show"] },
  { line: "tool config check --j", words: ["--json"] },
  { line: "tool config nothing ", words: ["check", "show"] },
  { line: "tool pause ", words: ["list"] },
  { line: "tool stats --s", words: ["--since"] },
  { line: "tool stats --agent ", words: ["claude", "codex"] },
  { line: "tool stats -a cl", words: ["claude"] },
  { line: "tool stats --since config --a", words: ["--agent"] },
  { line: "tool completion z", words: ["zsh"] },
  { line: "tool completion zsh --h", words: ["--help"] },
  { line: "tool stats --out no", words: ["notes and more.txt"] },
  { line: "tool replay no", words: ["notes and more.txt"] },
  { line: "tool stats no", words: [] },
];

let folder = "";

beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "notes and more.txt"), "");
});

describe("bash", () => {
  const complete = async (words: readonly string[]): Promise<string[]> => {
    const script = `${SCRIPTS.bash(completionTree(createTool()))}
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tool; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await execa("bash", ["--norc", "-c", script, "bash", ...words], { cwd: folder });
    return stdout.split("\n").filter(Boolean).toSorted();
  };

  test.for(LINES)("$line", async ({ line, words }) => {
    expect(await complete(line.split(" "))).toEqual(words);
  });

  test.for([
    { words: ["tool", "stats", "--agent", "="], found: ["claude", "codex"] },
    { words: ["tool", "stats", "--agent", "=", "co"], found: ["codex"] },
    { words: ["tool", "stats", "--agent", "=", "codex", "--o"], found: ["--out"] },
  ])("a value after an equals sign: $words", async ({ words, found }) => {
    expect(await complete(words)).toEqual(found);
  });

  test("registers itself for the program", async () => {
    const script = `${SCRIPTS.bash(completionTree(createTool()))}\ncomplete -p tool`;
    expect((await execa("bash", ["--norc", "-c", script])).stdout).toBe("complete -F _tool tool");
  });
});

const FISH = "fish";

const isInstalled = (shell: string) => execaSync(shell, ["--version"], { reject: false }).exitCode === 0;

test.for(isInstalled(FISH) ? LINES : [])("fish, where it is installed: $line", async ({ line, words }) => {
  writeFileSync(join(folder, "tool.fish"), SCRIPTS.fish(completionTree(createTool())));
  const { stdout } = await execa(FISH, ["--no-config", "-c", `source tool.fish; complete -C '${line}'`], {
    cwd: folder,
  });
  const found = stdout
    .split("\n")
    .filter(Boolean)
    .map((answer) => answer.replace(/\t.*$/, "").replaceAll("\\", ""));
  expect(found.toSorted()).toEqual(words);
});

test.for(isInstalled("zsh") ? ["zsh"] : [])("%s, where it is installed, takes the script", async (shell) => {
  writeFileSync(join(folder, "_tool"), SCRIPTS.zsh(completionTree(createTool())));
  expect((await execa(shell, ["-f", "-n", "_tool"], { cwd: folder })).stderr).toBe("");
});

test.for(["bash", "zsh", "fish"] as const)(
  "checkpoint completion %s knows the program's own commands",
  async (shell) => {
    const { exitCode, stdout } = await runCheckpoint(["completion", shell], {
      cwd: folder,
      userHome: folder,
      home: folder,
    });
    expect(exitCode).toBe(0);
    for (const word of ["snooze", "stats", "completion", "agent", "claude"]) expect(stdout).toContain(word);
  },
);

test("another shell is refused with those that are known", async () => {
  expect(await runCheckpoint(["completion", "tcsh"], { cwd: folder, userHome: folder, home: folder })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
  });
});
