import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Argument, Command, Option } from "commander";
import { execa, execaSync } from "execa";
import { beforeEach, expect, test } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { completeWords } from "./completion.ts";

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
  { line: "tool stats --se", words: [] },
  { line: "tool completion z", words: ["zsh"] },
  { line: "tool completion zsh --h", words: ["--help"] },
  { line: "tool stats --agent =", words: ["claude", "codex"] },
  { line: "tool stats --agent = co", words: ["codex"] },
  { line: "tool stats --agent = codex --o", words: ["--out"] },
  { line: "tool stats --out no", words: [] },
  { line: "tool replay no", words: [] },
  { line: "tool stats no", words: [] },
];

test.for(LINES)("$line", ({ line, words }) => {
  expect(completeWords(createTool(), line.split(" ").slice(1))).toEqual(words);
});

let folder = "";
let cwd = "";

/** The built program under its name, on the PATH of a shell. */
let env: Record<string, string> = {};

beforeEach(() => {
  folder = scratchFolder();
  const program = join(folder, "checkpoint");
  const built = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${built}" "$@"\n`);
  chmodSync(program, 0o755);
  cwd = join(folder, "empty");
  mkdirSync(cwd);
  env = { PATH: [folder, process.env["PATH"]].join(delimiter), HOME: folder };
});

const isInstalled = (shell: string) => execaSync(shell, ["--version"], { reject: false }).exitCode === 0;

const TYPED = [
  { line: "checkpoint sno", words: ["snooze"] },
  { line: "checkpoint config ", words: ["check", "show"] },
  { line: "checkpoint stats --ag", words: ["--agent"] },
];

test.for(TYPED)("bash completes: $line", async ({ line, words }) => {
  const script = `eval "$(checkpoint completion bash)"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _checkpoint; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p checkpoint`;
  const { stdout } = await execa("bash", ["--norc", "-c", script, "bash", ...line.split(" ")], { cwd, env });
  expect(stdout.split("\n")).toEqual([...words, "complete -o default -F _checkpoint checkpoint"]);
});

test.for(isInstalled("fish") ? TYPED : [])("fish, where it is installed, completes: $line", async ({ line, words }) => {
  const script = `checkpoint completion fish | source; complete -C '${line}'`;
  const { stdout } = await execa("fish", ["--no-config", "-c", script], { cwd, env });
  expect(stdout.split("\n").filter(Boolean)).toEqual(words);
});

test.for(isInstalled("zsh") ? ["zsh"] : [])("%s, where it is installed, takes the script", async (shell) => {
  const script = 'autoload -U compinit; compinit -u; eval "$(checkpoint completion zsh)"; print $_comps[checkpoint]';
  expect((await execa(shell, ["-f", "-c", script], { cwd, env })).stdout).toBe("_checkpoint");
});

test("another shell is refused with those that are known", async () => {
  expect(await runCheckpoint(["completion", "tcsh"], { cwd: folder, userHome: folder, home: folder })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
  });
});
