import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, describe, expect, test } from "vitest";
import { COMMAND_GROUPS } from "./commands/commands.ts";
import { createProgram } from "./program.ts";
import { type CliRun, runCheckpoint } from "./testing/run-checkpoint.ts";
import { createStyle } from "./terminal/style.ts";
import { VERSION } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "checkpoint-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOWHERE = { cwd: "/", userHome: folder, home: join(folder, "home") } as const;

const run = (...args: string[]): Promise<CliRun> => runCheckpoint(args, NOWHERE);

const CONTEXT = {
  ...NOWHERE,
  out: () => {},
  err: () => {},
  env: {},
  isTerminal: false,
  columns: 80,
  isProgressShown: false,
  ask: null,
  ended: () => Promise.resolve(),
  style: createStyle({ isTerminal: false, env: {} }),
  now: () => new Date(),
  exit: () => {},
};
const NAMES = COMMAND_GROUPS.flatMap(({ commands }) => commands.map(({ usage }) => usage.split(" ")[0] ?? ""));
/** With all commands loaded. */
const program = await createProgram(CONTEXT, NAMES);

/** A command with the words that lead to it. */
interface Named {
  readonly words: string;
  readonly command: Command;
}

/** Every command that does something, below the program. */
function commandsBelow(parent: Command, above: readonly string[] = []): readonly Named[] {
  return parent.commands.flatMap((command) => {
    const words = [...above, command.name()];
    return [{ words: words.join(" "), command }, ...commandsBelow(command, words)];
  });
}

const ALL = commandsBelow(program);

/** Commands that print no data: what they print is for a shell, or a log in lines of JSON. */
const WITHOUT_DATA = new Set(["completion", "team serve"]);

/** Commands that only hold others. */
const isGroup = ({ command }: Named) => command.commands.length > 0 && command.registeredArguments.length === 0;

describe("every command", () => {
  test("is listed in the same words whether it is loaded or not", async () => {
    expect((await createProgram(CONTEXT, [])).helpInformation()).toBe(program.helpInformation());
  });

  test.for(ALL)("$words has an example in its help, or in that of the command above it", async ({ words }) => {
    const path = words.split(" ");
    const own = await run(...path, "--help");
    const above = path.length > 1 ? await run(...path.slice(0, -1), "--help") : own;
    expect([own.exitCode, above.exitCode]).toEqual([0, 0]);
    const examples = [own, above].map(({ stdout }) => stdout.split(/^Examples?:\n/m)[1] ?? "");
    expect(examples.join("")).toContain(`checkpoint ${words}`);
  });

  const printing = ALL.filter((named) => !WITHOUT_DATA.has(named.words) && !isGroup(named));
  test.for(printing)("$words has --json", ({ command }) => {
    expect(command.options.map(({ long }) => long)).toContain("--json");
  });

  test.for(program.commands.map((command) => command.name()))("%s has a section in the documentation", (name) => {
    const docs = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8");
    const headings = docs.split("\n").filter((line) => line.startsWith("## "));
    expect(headings.flatMap((heading) => heading.match(/[a-z]+(?:-[a-z]+)*/g) ?? [])).toContain(name);
  });

  test.for(ALL)("$words is told in a line", ({ command }) => {
    expect(program.createHelp().subcommandDescription(command)).toMatch(/^[A-Z].{5,99}$/);
  });
});

describe("the help", () => {
  test("fits into 80 columns, and lists the groups in their order", async () => {
    const { exitCode, stdout } = await run("--help");
    expect(exitCode).toBe(0);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const headings = stdout.split("\n").filter((line) => /^[A-Z][a-z ]+:$/.test(line));
    expect(headings).toEqual(["Options:", ...COMMAND_GROUPS.map(({ heading }) => heading), "Examples:", "Exit codes:"]);
  });

  test("of a command can be asked for in two ways", async () => {
    expect(await run("help", "snooze")).toEqual(await run("snooze", "--help"));
  });

  test("of a command below another ends like any other", async () => {
    expect(await run("snooze", "list", "--help")).toMatchObject({ exitCode: 0 });
  });
});

test("the version is that of the package", async () => {
  expect(await run("--version")).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: "" });
});

test("what an error quotes does not act on the terminal", async () => {
  const { stderr, stdout } = await run("stats", "--json", "--since", "a\u202E\u{E0100}\u001B[31mb");
  expect(stderr).toContain(String.raw`--since "a\u{202e}\u{e0100}\u001b[31mb" is neither`);
  expect(stdout).toContain(String.raw`a\u202e\udb40\udd00`);
});

describe("a wrong call ends with 2 and says what was meant", () => {
  const cases = [
    { args: ["snoze", "30m"], said: "(Did you mean snooze?)" },
    { args: ["snooze", "--jsno"], said: "(Did you mean --json?)" },
    { args: ["\u001B[31mred"], said: String.raw`unknown command '\x1b[31mred'` },
    { args: ["completion"], said: "missing required argument 'shell'" },
    { args: [], said: "Usage: checkpoint" },
  ];
  test.for(cases)("$args", async ({ args, said }) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(said) });
  });
});

test("an error fits into a terminal, and is one line in a pipe", async () => {
  const args = ["stats", "--since", "soon"];
  const { stderr: piped } = await runCheckpoint(args, NOWHERE);
  const { stderr: shown } = await runCheckpoint(args, {
    ...NOWHERE,
    isTerminal: true,
    columns: 30,
    env: { NO_COLOR: "1" },
  });
  expect(shown.split("\n").filter((line) => line.length > 30)).toEqual([]);
  expect(shown.replaceAll("\n", " ")).toBe(piped.replaceAll("\n", " "));
  expect(shown.split("\n").length).toBeGreaterThan(piped.split("\n").length);
});

describe("with --json an error is JSON on stdout, beside the words on stderr", () => {
  const cases = [
    { args: ["snoze", "--json"], exitCode: 2, message: "unknown command 'snoze'", advice: "Did you mean snooze?" },
    {
      args: ["stats", "--since", "soon", "--json"],
      exitCode: 2,
      message: '--since "soon" is neither a time span nor a date.',
    },
    { args: ["why", "--json"], exitCode: 2, message: "no stop is recorded in /" },
    {
      args: ["preview", "--jsno", "--json"],
      exitCode: 2,
      message: "unknown option '--jsno'",
      advice: "Did you mean --json?",
    },
  ];
  test.for(cases)("$args", async ({ args, exitCode, ...error }) => {
    const { stdout, stderr, ...rest } = await run(...args);
    expect({ ...rest, ...(JSON.parse(stdout) as object) }).toMatchObject({ exitCode, error });
    expect(stderr).toContain(`error: ${error.message}`);
  });
});

test("the --json of a command behind -- is not ours", async () => {
  const { stdout, stderr } = await run("proof", "--range", "nowhere", "--", "jest", "--json");
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: expect.stringMatching(/^error: /) });
});

describe("an unexpected error", () => {
  const failing = (env: Record<string, string>) =>
    runCheckpoint(["stats", "--json"], {
      ...NOWHERE,
      env,
      now: () => {
        throw new Error("no clock");
      },
    });

  test("is told in words, without a stack", async () => {
    const { exitCode, stdout, stderr } = await failing({});
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: `error: unexpected: no clock\n${ADVICE}\n`,
    });
    expect(JSON.parse(stdout)).toEqual({ error: { message: "unexpected: no clock", advice: ADVICE, exitCode: 3 } });
  });

  test("shows its stack with CHECKPOINT_DEBUG", async () => {
    expect((await failing({ CHECKPOINT_DEBUG: "1" })).stderr).toContain("Error: no clock\n    at ");
  });
});

const ADVICE = "This is a fault of the program: please report it, with what CHECKPOINT_DEBUG=1 shows.";
