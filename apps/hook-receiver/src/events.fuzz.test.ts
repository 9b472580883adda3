import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOwnMessage } from "@agent-checkpoint/composer";
import fc from "fast-check";
import { afterAll, describe, test } from "vitest";
import { damagedBytes } from "../../../fixtures/src/fuzzing/damaged-bytes.ts";
import { damagedJson } from "../../../fixtures/src/fuzzing/damaged-json.ts";
import { damagedLines } from "../../../fixtures/src/fuzzing/damaged-lines.ts";
import { FUZZING, fuzzAsync } from "../../../fixtures/src/fuzzing/fuzz.ts";
import { hostileJson } from "../../../fixtures/src/fuzzing/hostile-json.ts";
import { runHook } from "./run-hook.ts";
import { callHook } from "./testing/hook-process.ts";
import { stageEvents } from "./testing/stage-events.ts";

const { events, project, transcripts, env } = await stageEvents();

// An event without a folder is about the one that the process was started in.
const before = process.cwd();
process.chdir(project);
afterAll(() => process.chdir(before));

/** What an agent sends. */
interface Sent {
  readonly agent: string;
  readonly stdin: string;
}

const recorded = fc.tuple(fc.constantFrom(...events), fc.uuid());

/** A recorded event of a session of its own, with damage. */
const damaged: fc.Arbitrary<Sent> = recorded.chain(([{ agent, text }, sessionId]) =>
  fc.record({
    agent: fc.constant(agent),
    stdin: fc.oneof(
      { arbitrary: damagedJson(text(sessionId)), weight: 3 },
      { arbitrary: damagedBytes(Buffer.from(text(sessionId))).map((bytes) => bytes.toString("utf8")), weight: 1 },
    ),
  }),
);

/** A recorded event, or what no agent sends. */
const invented: fc.Arbitrary<Sent> = fc.record({
  agent: fc.constantFrom("claude", "gemini", "codex", "copilot", "qwen", "opencode", "pi", "emacs", "", "--agent"),
  stdin: fc.oneof(
    recorded.map(([{ text }, sessionId]) => text(sessionId)),
    hostileJson,
    fc.string({ unit: "binary" }),
    hostileJson.map((json) => `{"hook_event_name":"Stop","session_id":${json},"transcript_path":${json}}`),
    fc
      .constantFrom("{", "[", '"', "{}\n", '{"a":', "\0", " ", "<hook_context>")
      .map((unit) => `{"hook_event_name":"AfterAgent","prompt":${JSON.stringify(unit.repeat(50_000))}}`),
  ),
});

const STOPS: ReadonlySet<string> = new Set(["stop-first", "after-agent-first"]);

const CONFIG = JSON.stringify({
  preset: "teleclaude",
  categories: [{ id: "core", include: ["teleclaude/core/**"], action: "check", tests: true }],
  actions: [{ id: "check", steps: ["make check"] }],
  timerSeconds: 1,
  scope: "tree",
});

describe("in this process", () => {
  const send = async ({ agent, stdin }: Sent): Promise<void> => {
    const answers: string[] = [];
    const { problem } = await runHook({
      argv: ["--agent", agent],
      env,
      stdin,
      answer: (text) => answers.push(text),
    });
    if (problem !== null && typeof problem !== "string") throw new Error("a problem that is no sentence");
    if (answers.length > 1) throw new Error(`${answers.length} answers`);
    checkAnswer(agent, answers.join(""));
  };

  test("a damaged event is answered at most once", FUZZING, fuzzAsync({ quick: 45, long: 5000 }, damaged, send));
  test("an invented event is answered at most once", FUZZING, fuzzAsync({ quick: 30, long: 3000 }, invented, send));

  /** A stop whose transcript was damaged, under a config that was too, or none. */
  const damagedPlace = fc.constantFrom(...transcripts).chain(({ agent, path, bytes }) =>
    fc.record({
      agent: fc.constant(agent),
      path: fc.constant(path),
      transcript: damagedLines(bytes),
      config: fc.option(damagedJson(CONFIG)),
      sessionId: fc.uuid(),
    }),
  );
  test(
    "a stop with a damaged transcript and config is answered at most once",
    FUZZING,
    fuzzAsync({ quick: 15, long: 2500 }, damagedPlace, async ({ agent, path, transcript, config, sessionId }) => {
      const configPath = join(project, "checkpoint.config.json");
      writeFileSync(path, transcript);
      if (config !== null) writeFileSync(configPath, config);
      try {
        const stop = events.find((event) => event.agent === agent && STOPS.has(event.name));
        await send({ agent, stdin: stop?.text(sessionId) ?? "" });
      } finally {
        rmSync(configPath, { force: true });
        writeFileSync(path, transcripts.find((other) => other.agent === agent)?.bytes ?? "");
      }
    }),
  );
});

describe("as a program", () => {
  test(
    "a damaged event is answered at most once, with exit code 0 and without a word on stderr",
    FUZZING,
    fuzzAsync(
      { quick: 6, long: 300 },
      fc.oneof({ arbitrary: damaged, weight: 3 }, { arbitrary: invented, weight: 1 }),
      async ({ agent, stdin }) => {
        const { stdout, stderr, exitCode } = await callHook({ agent, event: stdin, env, cwd: project });
        if (exitCode !== 0 || stderr !== "") throw new Error(`ended with ${exitCode}: ${stderr}`);
        checkAnswer(agent, stdout);
      },
    ),
  );
});

/** The word for a block, and the keys that an agent takes in an answer. */
const ANSWERS: Readonly<Record<string, { readonly block: string; readonly keys: readonly string[] }>> = {
  claude: {
    block: "block",
    keys: ["decision", "reason", "systemMessage", "autonomous_execution", "hookSpecificOutput"],
  },
  gemini: { block: "deny", keys: ["decision", "reason", "systemMessage"] },
  codex: { block: "block", keys: ["decision", "reason", "systemMessage", "hookSpecificOutput"] },
  copilot: { block: "block", keys: ["decision", "reason", "systemMessage"] },
  qwen: { block: "block", keys: ["decision", "reason", "systemMessage"] },
  opencode: { block: "block", keys: ["decision", "reason", "systemMessage"] },
  pi: { block: "block", keys: ["decision", "reason", "systemMessage"] },
};

/** One JSON object on a line of its own, or nothing, of the shape that the agent takes. */
function checkAnswer(agent: string, answer: string): void {
  if (answer === "") return;
  if (answer.indexOf("\n") !== answer.length - 1) throw new Error(`not one line: ${answer}`);
  const { block, keys } = ANSWERS[agent] ?? { block: "", keys: [] };
  const value = JSON.parse(answer) as Readonly<Record<string, unknown>>;
  if (Object.keys(value).some((key) => !keys.includes(key))) throw new Error(`unknown keys: ${answer}`);
  const { decision, reason } = value;
  if (decision === undefined) return;
  if (decision !== block || typeof reason !== "string" || !isOwnMessage(reason)) throw new Error(`no block: ${answer}`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(reason.replaceAll("\n", ""))) throw new Error(`hidden: ${answer}`);
}
