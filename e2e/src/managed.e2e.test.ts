import { describe, expect, onTestFinished, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { checkpoint } from "./checkpoint-program.ts";
import { DAEMON, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import { machineFolderOf } from "./namespace-command.ts";
import { runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox, type Sandbox, writeFiles } from "./sandbox.ts";

interface Payloads {
  readonly payloads: readonly { readonly files: { readonly linux: string }; readonly payload: string }[];
}

/** An agent's managed file, and what an organization writes to allow managed hooks only. */
const AGENTS = [
  {
    agent: "claude",
    only: { "etc/claude-code/managed-settings.json": '{ "allowManagedHooksOnly": true }\n' },
    join: (payload: string) => payload,
  },
  {
    agent: "codex",
    only: { "etc/codex/requirements.toml": "allow_managed_hooks_only = true\n" },
    join: (payload: string) => `allow_managed_hooks_only = true\n${payload}`,
  },
  { agent: "gemini", only: null, join: (payload: string) => payload },
  { agent: "qwen", only: null, join: (payload: string) => payload },
] as const;

describe.for(AGENTS)("$agent", ({ agent, only, join }) => {
  const voice = VOICES[agent];
  const script = { replies: [...daemonChange(voice), ...daemonRestart(voice)] };
  // Nothing about trust: a managed hook needs none.
  const args = agent === "codex" ? ["--dangerously-bypass-approvals-and-sandbox"] : undefined;

  test("runs what init --managed prints", async () => {
    const sandbox = await sandboxOf();
    const run = await runWithCheckpoint(agent, sandbox, {
      prompt: PROMPT,
      script,
      ...(args && { args }),
      setUp: async () => {
        const printed = await checkpoint(sandbox, "init", "--managed", "--agent", agent, "--json");
        const [found] = (JSON.parse(printed) as Payloads).payloads;
        const file = found?.files.linux.replace(/^\//, "") ?? "";
        await writeFiles(machineFolderOf(sandbox), { ...only, [file]: join(found?.payload ?? "") });
      },
    });
    expect(run.stops.map(({ decision }) => decision)).toEqual(["block", "pass"]);
  });
});

const SILENCED = [
  ["claude", "etc/claude-code/managed-settings.json", '{ "allowManagedHooksOnly": true }'],
  ["claude", "etc/claude-code/managed-settings.d/hooks.json", '{ "allowManagedHooksOnly": true }'],
  ["claude", "etc/claude-code/managed-settings.json", '{ "strictPluginOnlyCustomization": ["hooks"] }'],
  ["codex", "etc/codex/requirements.toml", "allow_managed_hooks_only = true"],
  ["codex", "etc/codex/requirements.toml", "[features]\nhooks = false"],
] as const;
test.for(SILENCED)("%s runs none of a person's own hooks with %s: %s", async ([agent, file, text]) => {
  const sandbox = await sandboxOf();
  const run = await runWithCheckpoint(agent, sandbox, {
    prompt: PROMPT,
    script: { replies: [...daemonChange(VOICES[agent])] },
    setUp: async () => {
      await checkpoint(sandbox, "init", "--agent", agent, "--no-config", "--yes");
      await writeFiles(machineFolderOf(sandbox), { [file]: `${text}\n` });
    },
  });
  expect(run.exitCode).toBe(0);
  expect(run.stops).toEqual([]);
});

async function sandboxOf(): Promise<Sandbox> {
  const sandbox = await createSandbox(DAEMON);
  onTestFinished(sandbox.remove);
  return sandbox;
}
