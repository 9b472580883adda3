import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { userCommand } from "../program/hook-command.ts";
import { testFolder } from "../testing/test-folder.ts";
import { plugin } from "./plugin.ts";

type Handlers = Readonly<Record<string, (input: object, output: object) => Promise<void>>>;

const OURS = userCommand({ node: "/usr/bin/node", program: "/opt/checkpoint-hook.cjs" }, "--agent opencode");
const BLOCKS = `touch asked; until [ -e answer ]; do sleep 0.02; done; echo '{"decision":"block","reason":"Test it"}'`;

const TEXT = { sessionID: "ses_1", messageID: "msg_2", partID: "prt_2" };
const ADDED = { id: "prt_3", messageID: "msg_3" };

/** Loads the plugin with a hook that blocks once a file `answer` is there, and a client that records what is done to the session. */
async function loadPlugin() {
  const folder = testFolder();
  const plan = plugin.plan(null, [
    { event: "Stop", args: "--agent opencode", hook: { type: "command", command: OURS, timeout: 30 } },
  ]);
  const text = plan.ok ? plan.text : "";
  writeFileSync(
    join(folder, "plugin.mjs"),
    text.replace(JSON.stringify(OURS), () => JSON.stringify(BLOCKS)),
  );
  const done: string[] = [];
  const messages = [
    { info: { id: "msg_1", role: "user", time: { created: 1 } }, parts: [{ type: "text", text: "Do it" }] },
    { info: { id: "msg_2", role: "assistant", time: { created: 2 } }, parts: [{ type: "text", id: "prt_2" }] },
  ];
  const session = {
    get: async () => ({ data: { id: "ses_1", directory: folder } }),
    messages: async () => ({ data: messages }),
    children: async () => ({ data: [] }),
    prompt: async () => (done.push("added"), { data: { parts: [ADDED] } }),
    _client: {
      patch: async ({ path, body }: { path: { pid: string }; body: { ignored: boolean } }) =>
        void done.push(`${path.pid} ignored: ${body.ignored}`),
    },
  };
  vi.stubEnv("XDG_DATA_HOME", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { AgentCheckpoint } = (await import(pathToFileURL(join(folder, "plugin.mjs")).href)) as {
    AgentCheckpoint: (host: object) => Promise<Handlers>;
  };
  const handlers = await AgentCheckpoint({ client: { session, tui: {} }, directory: folder });
  return {
    done,
    completeText: () => handlers["experimental.text.complete"]?.(TEXT, { text: "Done." }),
    startTool: () => handlers["tool.execute.before"]?.({ sessionID: "ses_1", tool: "bash" }, { args: {} }),
    isAsked: () => existsSync(join(folder, "asked")),
    letAnswer: () => writeFileSync(join(folder, "answer"), ""),
  };
}

test("a message is added when a text is complete", async () => {
  const { done, completeText, letAnswer } = await loadPlugin();
  letAnswer();
  await completeText();
  expect(done).toEqual(["added"]);
});

test("it is taken back, once, if a tool starts after it", async () => {
  const { done, completeText, startTool, letAnswer } = await loadPlugin();
  letAnswer();
  await completeText();
  await startTool();
  await startTool();
  expect(done).toEqual(["added", "prt_3 ignored: true"]);
});

test("none is added if a tool starts while the hook is asked", async () => {
  const { done, completeText, startTool, isAsked, letAnswer } = await loadPlugin();
  const completed = completeText();
  await expect.poll(isAsked, { timeout: 20_000 }).toBe(true);
  await startTool();
  letAnswer();
  await completed;
  expect(done).toEqual([]);
});
