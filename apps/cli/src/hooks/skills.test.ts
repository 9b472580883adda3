import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { expect, test } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { SKILLS as TEXTS } from "./skill-texts.ts";

const SKILLS = fileURLToPath(new URL("../../../../plugins/claude-code/skills/", import.meta.url));
const names = readdirSync(SKILLS);
/** Help is shown without looking anywhere. */
const NOWHERE = { cwd: "/", userHome: "/", home: "/" };

/** A skill as the agent reads it: what stands above, and the text. */
function readSkill(name: string): { readonly front: Record<string, unknown>; readonly body: string } {
  const [, front = "", body = ""] =
    /^---\n([^]*?)\n---\n([^]*)$/.exec(readFileSync(`${SKILLS}${name}/SKILL.md`, "utf8")) ?? [];
  return { front: parse(front) as Record<string, unknown>, body };
}

test("there is a skill to go back with for the one to mark with", () => {
  expect(names.toSorted()).toEqual(["checkpoint", "restore"]);
});

test("the program's texts are those of the plugin (else run apps/cli/scripts/write-texts.ts)", () => {
  const texts = names.map((name) => [name, readFileSync(`${SKILLS}${name}/SKILL.md`, "utf8")]);
  expect(TEXTS).toEqual(Object.fromEntries(texts));
});

test.for(names)("%s says what it is, what it may use, and runs apart", (name) => {
  expect(readSkill(name).front).toEqual({
    name,
    description: expect.stringMatching(/ Use (?:before|when) /),
    "argument-hint": expect.any(String),
    "disable-model-invocation": false,
    "user-invocable": true,
    "allowed-tools": "Bash(checkpoint snapshot:*), Read",
    context: "fork",
    agent: "general-purpose",
    hooks: Object.fromEntries(
      ["PreToolUse", "PostToolUse", "PostToolUseFailure"].map((event) => [
        event,
        [
          {
            matcher: expect.stringMatching(/^Bash\|.*run_shell_command/),
            hooks: [{ type: "command", command: expect.stringMatching(`checkpoint snapshot skill-hook ${name}$`) }],
          },
        ],
      ]),
    ),
  });
});

const SECTIONS = [
  "Intent",
  "Inputs",
  "Procedure",
  "Output contract",
  "Examples",
  "Safety constraints",
  "Composition",
  "Anti-patterns",
];

test.for(names)("%s has every section", (name) => {
  expect([...readSkill(name).body.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(SECTIONS);
});

test.for(names)("every command that %s names exists, with its options", async (name) => {
  const { body } = readSkill(name);
  const commands = [...body.matchAll(/checkpoint snapshot ([a-z]+)([^\n`]*)/g)];
  expect(commands.length).toBeGreaterThan(5);
  for (const [, subcommand = "", rest = ""] of commands) {
    const { stdout, exitCode } = await runCheckpoint(["snapshot", subcommand, "--help"], NOWHERE);
    expect({ subcommand, exitCode }).toEqual({ subcommand, exitCode: 0 });
    expect(stdout).toContain(`checkpoint snapshot ${subcommand} [options]`);
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(stdout).toMatch(new RegExp(`${option}\\b`));
  }
  const { stdout: restore } = await runCheckpoint(["snapshot", "restore", "--help"], NOWHERE);
  for (const [, option = ""] of body.matchAll(/(?:^|[\s`])(--(?:force|remove-new|allow-expired|into|dry-run|json))\b/g))
    expect(restore).toContain(option);
});
