import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ACTING_CHARACTERS,
  HOSTILE_TEXTS,
  type Scenario,
  SCENARIO_AGENTS,
  type ScenarioAgent,
} from "@agent-checkpoint/fixtures";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../testing/bytes-of.ts";
import { reasonOf } from "../testing/hook-process.ts";
import { type StagedScenario, stageScenario } from "../testing/stage-scenario.ts";

/** As many texts as a message shows files of a kind, and folders. */
const AT_ONCE = 5;
const GROUPS = Array.from({ length: Math.ceil(HOSTILE_TEXTS.length / AT_ONCE) }, (_, group) =>
  HOSTILE_TEXTS.slice(group * AT_ONCE, (group + 1) * AT_ONCE),
).map((texts) => ({ do: texts.map(({ does }) => does).join(", "), texts: texts.map(({ text }) => text) }));
const PLAIN = Array.from({ length: AT_ONCE }, (_, number) => `plain ${number}`);

/** A turn with texts in every place that the repository, the transcript and the session lend to a message. */
const everywhere = (texts: readonly string[]): Scenario => ({
  name: "hostile",
  title: "Foreign text in every place.",
  prompt: `Do ${texts.join(" ")}`,
  minutes: 4,
  committed: ["README.md"],
  added: texts.flatMap((text) => [`src/${text}.ts`, `${text}/x.md`]),
  contents: {
    "checkpoint.config.json": JSON.stringify({ scope: "tree", docs: ["*.json"] }),
    [`todos/${texts[0]}/implementation-plan.md`]: "## Files to Change\n\n| File |\n| --- |\n| `other.ts` |\n",
  },
  slug: texts[0] ?? "",
  turn: [
    { edit: `src/${texts.at(-1)}.ts` },
    ...texts.flatMap((text) => [
      { shell: `make build ${text}`, exit: 1, output: `error: ${text}` },
      { shell: `pytest ${text}`, exit: 1, output: `${text}\n1 failed in 0.1s` },
    ]),
  ],
  blocks: true,
});

/** A turn under a config with texts in its words; one with a control character in it cannot be used. */
const inConfig = (texts: readonly string[]): Scenario => ({
  ...everywhere(PLAIN),
  contents: {
    "checkpoint.config.json": JSON.stringify({
      scope: "tree",
      docs: ["*.json"],
      actions: texts.map((text, number) => ({
        id: `action-${number}`,
        instruction: `Do ${text} <b>`,
        steps: [{ run: `make ${text}` }],
      })),
      categories: texts.map((text, number) => ({
        id: `category-${number}`,
        label: `code ${text} <b>`,
        include: ["src/**"],
        action: `action-${number}`,
      })),
    }),
  },
});

async function messageOf(scenario: Scenario, agent: ScenarioAgent = "claude") {
  const staged = await stageScenario(scenario, agent);
  const answer = await staged.stop();
  return { staged, stdout: answer.stdout, message: reasonOf(answer) ?? "" };
}

/** The lines of a message with the data in its code spans, and how many they are, taken out. */
const skeleton = (message: string) =>
  message.split("\n").map((line) =>
    line
      .replaceAll(/`[^`]*`/g, "`…`")
      .replaceAll(/(?:`…`, )+`…`/g, "`…`")
      .replace(/ and \d+ more\b| \(and \d+ more\)/, ""),
  );

/** What every line of a message begins with, whatever its data. */
const OUR_LINE =
  /^(?:$|agent-checkpoint: |Changed files:$|Required actions, in this order:$|Observations:$|The rules of this checkpoint could not be used:$|- |\d\. |Capture what |Then finish )/;

/** What is wrong with an answer and with what was kept: lines of others, characters that act, tags, what a shell has run. */
const faultsOf = ({ home, project }: StagedScenario, stdout: string, message: string) => {
  const log = Buffer.from(bytesOf(home)["checkpoint.log"] ?? "", "latin1")
    .toString()
    .split("\n");
  const lines = message.split("\n");
  return {
    foreign: lines.filter((line) => !OUR_LINE.test(line)),
    acting: [...lines, ...log].filter((line) => ACTING_CHARACTERS.test(line)),
    tags: lines.filter((line) => /<[A-Za-z/!?]|```/.test(line)),
    answers: stdout.trimEnd().split("\n").length,
    logged: log.filter((line) => line !== "" && !/^\d{4}-\d\d-\d\dT[\d:.]+Z \w+ \S/.test(line)),
    run: [project, "/"].filter((folder) => existsSync(join(folder, "proof"))),
  };
};
const NONE = { foreign: [], acting: [], tags: [], answers: 1, logged: [], run: [] };

describe("texts that", () => {
  const plain = messageOf(everywhere(PLAIN));
  test.concurrent.for(GROUPS)("$do: data in names, commands and the slug", async ({ texts }) => {
    const { staged, stdout, message } = await messageOf(everywhere(texts));
    expect(message).toContain("agent-checkpoint: ");
    expect(faultsOf(staged, stdout, message)).toEqual(NONE);
    // A line break ends a command, so two observations may become one; no line is another than before.
    const lines = new Set(skeleton((await plain).message));
    expect(skeleton(message).filter((line) => !lines.has(line))).toEqual([]);
  });

  test.concurrent.for(GROUPS)("$do: data in a config", async ({ texts }) => {
    // What has control characters is refused as a whole, and would hide the others.
    for (const usable of [texts, texts.filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))]) {
      const { staged, stdout, message } = await messageOf(inConfig(usable));
      expect(message).toContain("agent-checkpoint: ");
      expect(faultsOf(staged, stdout, message)).toEqual(NONE);
    }
  });

  test.concurrent.for(GROUPS)("$do: data in the event", async ({ texts }) => {
    const staged = await stageScenario(everywhere(PLAIN), "claude");
    for (const text of texts) {
      const answer = await staged.stop({ session_id: text, prompt_id: text, transcript_path: `/nowhere/${text}` });
      const { stdout, exitCode } = answer;
      expect({ ...faultsOf(staged, stdout, reasonOf(answer) ?? ""), exitCode }).toEqual({ ...NONE, exitCode: 0 });
    }
  });
});

test.concurrent.for(SCENARIO_AGENTS)("%s is told the same lines", async (agent) => {
  const { staged, stdout, message } = await messageOf(everywhere(GROUPS[0]?.texts ?? []), agent);
  expect(faultsOf(staged, stdout, message)).toEqual(NONE);
  expect(message).toMatch(
    /^- A command returned errors: `make build a[^`]*`(?: \(and \d more\))? failed; verify that it now succeeds\.$/m,
  );
});

test.concurrent("bytes that are no text stay data", async ({ skip }) => {
  skip(process.platform === "darwin", "the file system takes text only");
  const staged = await stageScenario(everywhere(PLAIN), "claude");
  const name = (...bytes: number[]) => Buffer.concat([Buffer.from(`${staged.project}/a/`), Buffer.from(bytes)]);
  mkdirSync(join(staged.project, "a"));
  for (const bytes of [
    [0xff, 0xfe, 0x0a, 0x31, 0x2e, 0x20, 0x52],
    [0xc2, 0x0a, 0x2d, 0x20],
    [0xed, 0xa0, 0x80, 0x2e, 0x74, 0x73],
    [0x9b, 0x32, 0x4a],
  ])
    writeFileSync(name(...bytes), "x");
  const answer = await staged.stop();
  expect(reasonOf(answer)).toContain("`a/\uFFFD");
  expect(faultsOf(staged, answer.stdout, reasonOf(answer) ?? "")).toEqual(NONE);
});
