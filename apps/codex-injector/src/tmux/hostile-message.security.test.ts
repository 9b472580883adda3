import { buildCheckpointMessage } from "@agent-checkpoint/composer";
import { HOSTILE_TEXTS } from "@agent-checkpoint/fixtures";
import { describe, expect, test } from "vitest";
import { previewTurn } from "../turns/judge-turn.ts";
import { refuseMessage } from "./deliver-by-tmux.ts";

const FACTS = { forced: null, isHookTrusted: false, hasQueue: false, hasTmux: true };
const context = { projectPath: "/home/dev/project", workingSlug: null, agentName: "codex" } as const;

describe("a text that", () => {
  test.for(HOSTILE_TEXTS)("$does is refused as it is, where it would act as a key", ({ text }) => {
    const acts = /[^\P{Cc}\n\t]/u.test(text);
    expect(refuseMessage(`Checkpoint: ${text}`)).toBe(acts ? "control-character" : null);
  });

  test.for(HOSTILE_TEXTS)("$does has nothing left in a message that a pane would take for a key", ({ text }) => {
    const message = buildCheckpointMessage(
      [`teleclaude/${text}.py`, `${text}/x`],
      {
        hasData: true,
        toolCalls: [],
        prompt: { offset: 0, digest: "", timestamp: null, id: null },
        isWhole: true,
        skippedLines: 0,
        size: 0,
      },
      context,
    );
    expect(message).toContain("`teleclaude/a");
    expect(refuseMessage(message)).toBeNull();
    expect(message).toMatch(/^[^\p{C}\u2028\u2029]*(?:\n[^\p{C}\u2028\u2029]*)*$/u);
  });

  test.for(HOSTILE_TEXTS)("$does is shown to a person as it is spelt", async ({ text }) => {
    const thread = {
      id: text,
      cwd: `/nowhere/${text}`,
      cliVersion: text,
      kind: "interactive",
      startedAt: null,
    } as const;
    const turn = { thread, rolloutPath: "/nowhere", turnId: null, finishedAt: new Date(0), heardHook: false };
    const shown = await previewTurn(turn, "/nowhere", FACTS);
    expect(shown.split("\n").filter((line) => /[\p{C}\p{Zl}\p{Zp}]/u.test(line))).toEqual([]);
    expect(shown.split("\n")[0]).toMatch(/^thread a.* in \/nowhere\/a/);
    expect(shown.split("\n")[1]).toMatch(/^route none: Codex a/);
  });
});
