import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCheckpoint } from "@agent-checkpoint/snapshots";
import { execaSync } from "execa";
import { describe, expect, test } from "vitest";
import { callHook, type HookAnswer } from "./testing/hook-process.ts";
import { scratchFolder } from "./testing/scratch.ts";

const EVENTS = fileURLToPath(new URL("../../../fixtures/hook-events/", import.meta.url));
const ON = { safety: { gate: true, freshMinutes: 10 } };

/** A project with the recorded one's files, and what it takes to call the hook there. */
function stage(config: object | string | null) {
  const folder = scratchFolder();
  const project = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "src/greet.py"), 'print("hello")\n');
  if (config !== null)
    writeFileSync(
      join(project, "checkpoint.config.json"),
      typeof config === "string" ? config : JSON.stringify(config),
    );
  execaSync("git", ["init", "--quiet"], { cwd: project });
  const call = (recording: string, later = 0, fields: object = {}): Promise<HookAnswer> => {
    const event = readFileSync(join(EVENTS, `${recording}.json`), "utf8").replaceAll("/home/dev/project", project);
    return callHook({
      agent: dirname(recording),
      event: { ...(JSON.parse(event) as object), ...fields },
      env: { CHECKPOINT_HOME: home, HOME: folder, CHECKPOINT_NOW: new Date(Date.now() + later * 60_000).toISOString() },
    });
  };
  const checkpoint = (scope: string) => createCheckpoint({ scope }, { cwd: project, home, userHome: folder });
  return { project, home, call, checkpoint };
}

const PASS: Readonly<Record<string, HookAnswer>> = {
  claude: { stdout: "", stderr: "", exitCode: 0 },
  gemini: { stdout: "", stderr: "", exitCode: 0 },
  codex: { stdout: "{}\n", stderr: "", exitCode: 0 },
};

const recordings = [
  { recording: "claude/pre-tool-use-edit", asks: "src/greet.py" },
  { recording: "claude/pre-tool-use-bash", asks: "." },
  { recording: "gemini/before-tool-replace", asks: "src/greet.py" },
  { recording: "gemini/before-tool-shell", asks: "." },
  { recording: "codex/pre-tool-use-patch", asks: "src/greet.py" },
  { recording: "codex/pre-tool-use-shell", asks: "." },
] as const;

test.for(recordings)("$recording asks for a checkpoint of $asks, and passes with it", async ({ recording, asks }) => {
  const { project, call, checkpoint } = stage(ON);
  const pass = PASS[dirname(recording)];
  const first = await call(recording);
  const scope = asks === "." ? project : join(project, asks);
  expect({ ...first, stdout: "" }).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  expect(denialIn(first)).toContain(`snapshot create ${scope} --root ${project} --reason 'before `);
  expect((await checkpoint(asks)).status).toBe("created");
  expect(await call(recording)).toEqual(pass);
  expect(denialIn(await call(recording, 11))).toContain("of the last 10 minutes");
});

test.for(["claude/pre-tool-use-read", "gemini/before-tool-read-file"])("%s asks for nothing", async (recording) => {
  expect(await stage(ON).call(recording)).toEqual(PASS[dirname(recording)]);
});

const open = [
  { project: "has no config", config: null },
  { project: "does not ask for it", config: { preset: "generic" } },
  { project: "switches it off", config: { safety: { gate: false } } },
  { project: "has a config that is broken", config: '{ "safety": { "gate": tru' },
  { project: "has a config of another shape", config: { safety: { gate: "yes" } } },
];

test.for(open)("a project that $project: every tool passes", async ({ config }) => {
  const { call } = stage(config);
  expect(await call("claude/pre-tool-use-edit")).toEqual(PASS["claude"]);
  expect(await call("codex/pre-tool-use-shell")).toEqual(PASS["codex"]);
});

test("a person's own config switches it on for all of their projects", async () => {
  const { home, call } = stage(null);
  mkdirSync(home);
  writeFileSync(join(home, "config.json"), JSON.stringify(ON));
  expect(denialIn(await call("claude/pre-tool-use-edit"))).toContain("of the last 10 minutes");
});

describe("the config at the session's prompt counts until the next one", () => {
  const recordings = [
    { prompt: "claude/user-prompt-submit", tool: "claude/pre-tool-use-edit" },
    { prompt: "gemini/before-agent", tool: "gemini/before-tool-replace" },
    { prompt: "codex/user-prompt-submit", tool: "codex/pre-tool-use-patch" },
  ];
  const relaxed = [null, "{}", JSON.stringify({ safety: { gate: false } }), "{ broken"];
  test.for(recordings.flatMap((one) => relaxed.map((config) => ({ ...one, config }))))(
    "$tool: the gate stays closed after the agent has made the config $config",
    async ({ prompt, tool, config }) => {
      const { project, call: callIn } = stage(ON);
      const call = (recording: string) => callIn(recording, 0, { session_id: "one session" });
      await call(prompt);
      const file = join(project, "checkpoint.config.json");
      if (config === null) rmSync(file);
      else writeFileSync(file, config);
      expect(denialIn(await call(tool))).toContain("of the last 10 minutes");
      await call(prompt);
      expect(await call(tool)).toEqual(PASS[dirname(tool)]);
    },
  );
});

test("what nobody expected passes, with a line in the log", async () => {
  const { project, home, call } = stage(ON);
  const refs = join(project, ".git/agent-checkpoint/snapshots.git/refs");
  mkdirSync(refs, { recursive: true });
  writeFileSync(join(refs, "snapshots"), "no folder");
  expect(await call("claude/pre-tool-use-edit")).toEqual(PASS["claude"]);
  expect(readFileSync(join(home, "checkpoint.log"), "utf8")).toContain("failed-open");
});

/** The words that reach the model, in each agent's form of a denial. */
function denialIn({ stdout }: HookAnswer): string | undefined {
  const answer = JSON.parse(stdout) as Denial;
  return answer.hookSpecificOutput?.permissionDecision === "deny"
    ? answer.hookSpecificOutput.permissionDecisionReason
    : answer.decision === "deny"
      ? answer.reason
      : undefined;
}

interface Denial {
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: "PreToolUse";
    readonly permissionDecision: string;
    readonly permissionDecisionReason: string;
  };
}
