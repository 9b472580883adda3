import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { decisionsOf } from "./codex-session.ts";
import { runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox, writeFiles } from "./sandbox.ts";

const NOTES = {
  "checkpoint.config.json": JSON.stringify({
    timerSeconds: 0,
    save: { mode: "autonomous", contextWindow: 200_000, protectedBranches: [] },
  }),
  "notes.md": "Nothing yet.\n",
  "other.md": "As it was.\n",
};

/** More than 40 % of what each agent's model takes, and less than what it compacts at. */
const TOKENS = { claude: 120_000, gemini: 450_000, codex: 130_000 } as const;

test.for(["claude", "gemini", "codex"] as const)(
  "%s: a full context is saved by the hook, the agent is told, and the run ends",
  async (agent) => {
    const voice = VOICES[agent];
    const inputTokens = TOKENS[agent];
    const sandbox = await createSandbox(NOTES);
    onTestFinished(() => sandbox.remove());
    await writeFiles(sandbox.project, { "other.md": "A person is at it.\n" });
    const git = async (...args: string[]) => (await execa("git", args, { cwd: sandbox.project })).stdout;
    const run = await runWithCheckpoint(agent, sandbox, {
      prompt: "Take a note",
      script: {
        replies: [
          { calls: [voice.read("notes.md")] },
          { calls: [voice.edit("notes.md", "Nothing yet.", "Something.")], inputTokens },
          { say: "Noted.", inputTokens },
          { say: "Saved and done." },
        ],
      },
    });

    expect(run.exitCode).toBe(0);
    expect(voice.hookWords(run.heard[3]?.at(-1) ?? "")).toMatch(
      /^agent-checkpoint: Your work was saved at \d+ % of the context: commit `[0-9a-f]{12}` on `main`/,
    );
    expect(decisionsOf(run.stops)[0]).toBe("block by hook: work-saved");
    expect((await git("log", "--format=%s")).split("\n")).toEqual(["checkpoint: auto-checkpoint", "Start"]);
    expect((await git("show", "--name-only", "--format=", "HEAD")).split("\n").toSorted()).toEqual([
      "CLAUDE.md",
      "notes.md",
    ]);
    expect(await git("show", "HEAD:notes.md")).toBe("Something.");
    expect(await git("status", "--porcelain")).toBe(" M other.md");
  },
);
