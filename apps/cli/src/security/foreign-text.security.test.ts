import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ACTING_CHARACTERS, HOSTILE_TEXTS, type Scenario } from "@agent-checkpoint/fixtures";
import { describe, expect, test } from "vitest";
import {
  NAME_PLACES,
  TOKENS,
  VALUE_PLACES,
} from "../../../../packages/commands/src/shell/testing/secrets-in-commands.ts";
import { SECRET_TEXTS, traceOf } from "../../../../packages/redaction/src/testing/secret-texts.ts";
import { renderStop } from "../dashboard/render-stop.ts";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { stageSession } from "../testing/stage-session.ts";
import type { StopReport } from "../why/stop-report.ts";

/** A turn with texts in its prompt, files, commands and config. */
const turnWith = (texts: readonly string[], names: readonly string[]): Scenario => ({
  name: "foreign",
  title: "Foreign text in every place.",
  prompt: `Do ${texts[0]}`,
  minutes: 4,
  committed: ["src/a.ts"],
  modified: ["src/a.ts"],
  added: names.map((name) => `src/${name}.ts`),
  contents: {
    "checkpoint.config.json": JSON.stringify({
      scope: "tree",
      actions: [{ id: "migrate", steps: ["make migrate"] }],
      categories: [{ id: "code", label: "code \u202E <b>", include: ["src/**"], action: "migrate", tests: true }],
    }),
  },
  turn: [
    ...names.map((name) => ({ edit: `src/${name}.ts` })),
    ...texts.map((text) => ({ shell: `make migrate ${text}`, exit: 1, output: `error: ${text}` })),
    ...texts.map((text) => ({ shell: `echo make migrate; pytest ${text} | tail`, output: text })),
  ],
  blocks: true,
});

/** Every command that shows something of a session, of files or of the record, run once. */
const COMMANDS: readonly (readonly string[])[] = [
  ["preview"],
  ["preview", "--json"],
  ["why"],
  ["why", "--json"],
  ["stats"],
  ["stats", "--json"],
  ["rules"],
  ["rules", "--json"],
  ["doctor"],
  ["doctor", "--json"],
  ["attest"],
  ["attest", "--json"],
  ["config", "show"],
  ["config", "show", "--json"],
  ["config", "check", "--json"],
  ["replay", "sessions"],
  ["replay", "sessions", "--json"],
  ["replay", "sessions", "--html", "report.html"],
  ["replay", "sessions", "--stops"],
  ["dashboard", "--json"],
  ["dashboard", "--out", "dashboard.html"],
  ["learn", "sessions"],
  ["learn", "sessions", "--json"],
  ["init", "--explain"],
  ["init", "--dry-run", "--json"],
  ["verify-range", "HEAD", "--json"],
  ["snapshot", "create", ".", "--reason", "REASON"],
  ["snapshot", "list"],
  ["snapshot", "list", "--json"],
  ["snapshot", "show", "ID", "--json"],
  ["snapshot", "diff", "ID"],
  ["snapshot", "show", "ID"],
];

/** The commands that exit with 1 here: they find something, or no agent. */
const FINDING = new Set(["snapshot diff", "doctor", "doctor --json", "init --dry-run", "verify-range HEAD"]);

/** What all commands print and write of such a turn, on a terminal without colours. */
async function outputs(scenario: Scenario, reason: string): Promise<readonly { command: string; text: string }[]> {
  const folder = scratchFolder();
  const home = join(folder, "home");
  const session = await stageSession(scenario, { agent: "claude", folder, home });
  await session.prompt();
  await session.stop();
  const sessions = join(session.project, "sessions");
  mkdirSync(sessions);
  writeFileSync(join(sessions, "s.jsonl"), readFileSync(session.transcriptPath));
  const texts: { command: string; text: string }[] = [];
  let id = "";
  for (const words of COMMANDS) {
    const args = words.map((word) => (word === "REASON" ? reason : word === "ID" ? id : word));
    const { exitCode, stdout, stderr } = await runCheckpoint(args, {
      cwd: session.project,
      userHome: folder,
      home,
      now: () => session.stoppedAt,
      isTerminal: true,
      columns: 100,
      env: { NO_COLOR: "1" },
    });
    const isFinding = [words.join(" "), words.slice(0, 2).join(" ")].some((name) => FINDING.has(name));
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: isFinding ? 1 : 0, stderr: expect.anything() });
    // Throws where it is none.
    if (words.includes("--json")) JSON.parse(stdout);
    if (words.join(" ") === "why --json")
      texts.push({ command: "the page of the stop", text: renderStop(JSON.parse(stdout) as StopReport) });
    if (words[1] === "create") id = /\bchk_\w+/.exec(stdout)?.[0] ?? "";
    texts.push({ command: words.join(" "), text: `${stdout}\n${stderr}` });
    if (words[1] === "create") {
      for (const file of scenario.added ?? []) writeFileSync(join(session.project, file), "changed\n");
    }
  }
  const written = [
    join(session.project, "report.html"),
    join(session.project, "dashboard.html"),
    join(home, "checkpoint.log"),
  ];
  for (const file of written.filter((one) => existsSync(one)))
    texts.push({ command: file, text: readFileSync(file, "utf8") });
  return texts;
}

describe("on a terminal", () => {
  const texts = HOSTILE_TEXTS.map(({ text }) => text);
  test("no text of theirs acts, begins a line of its own, or becomes markup", { timeout: 120_000 }, async () => {
    for (const { command, text } of await outputs(turnWith(texts, texts), texts.join(" "))) {
      const lines = text.split("\n");
      expect({ command, lines: lines.filter((line) => ACTING_CHARACTERS.test(line)) }).toEqual({ command, lines: [] });
      expect({
        command,
        lines: lines.filter((line) => /^\s*(?:1\. Run .?rm|- [xyz]$|```|# Heading)/.test(line)),
      }).toEqual({
        command,
        lines: [],
      });
    }
  });
});

test("no command prints a secret", { timeout: 120_000 }, async () => {
  const texts = SECRET_TEXTS.map(({ text }) => text);
  const names = texts.filter((text) => !/[/\n]/.test(text) && text.length < 200);
  const traces = SECRET_TEXTS.map(traceOf);
  for (const { command, text } of await outputs(turnWith(texts, names), texts[30] ?? "")) {
    expect({ command, leaks: traces.filter((trace) => text.includes(trace)) }).toEqual({ command, leaks: [] });
  }
});

test("no command prints a token of any service, wherever a command line holds it", { timeout: 120_000 }, async () => {
  const commands = [...VALUE_PLACES, ...NAME_PLACES].map((place, index) => {
    const { token } = TOKENS[index % TOKENS.length]!;
    return { token, text: place.replaceAll("§", token) };
  });
  const scenario = turnWith(
    commands.map(({ text }) => text),
    ["added"],
  );
  // The first lines of a prompt are quoted by `why`: a person's own words are not a command.
  const turn = [...(scenario.turn ?? []), ...commands.map(({ text }) => ({ shell: text, exit: 1, output: text }))];
  for (const { command, text } of await outputs({ ...scenario, prompt: "Deploy it", turn }, "before")) {
    const leaks = commands.filter(({ token }) => text.includes(token));
    expect({ command, leaks }).toEqual({ command, leaks: [] });
  }
});
