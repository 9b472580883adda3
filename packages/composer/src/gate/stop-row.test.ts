import type { TurnTimeline } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import type { StopEvent } from "./events.ts";
import { trailOf } from "./conclude-stop.ts";

const event: StopEvent = {
  type: "stop",
  sessionId: "s",
  projectPath: "/home/dev/project",
  transcriptPath: "/home/dev/session.jsonl",
  promptId: "p",
  isRepeated: false,
  exemption: null,
  promptText: "a secret word",
  lastMessage: "another one",
};
const promptAt = new Date("2026-03-02T09:00:00Z");
const timeline: TurnTimeline = {
  hasData: true,
  isWhole: true,
  skippedLines: 0,
  toolCalls: [],
  size: 4096,
  prompt: { id: "p", offset: 1024, digest: "0123456789abcdef", timestamp: promptAt },
};

describe("what is kept of a stop", () => {
  test("that was judged", () => {
    const changedFiles = ["src/a.ts", "src/b.ts"];
    expect(trailOf(event, { promptAt, timeline, changedFiles, workingSlug: "backoff" })).toEqual({
      transcriptPath: "/home/dev/session.jsonl",
      turnStart: 1024,
      readUpTo: 4096,
      promptAt,
      changedFiles,
      changedFileCount: 2,
      workingSlug: "backoff",
    });
  });

  test.for<{ title: string; timeline?: TurnTimeline }>([
    { title: "that passed before its turn was read" },
    {
      title: "whose transcript could not be read",
      timeline: { hasData: false, toolCalls: [], reason: "missing" },
    },
  ])("$title", (facts) => {
    expect(trailOf(event, { promptAt: null, ...(facts.timeline && { timeline: facts.timeline }) })).toEqual({
      transcriptPath: "/home/dev/session.jsonl",
      turnStart: null,
      readUpTo: null,
      promptAt: null,
      changedFiles: null,
      changedFileCount: null,
      workingSlug: null,
    });
  });

  test("is no word of the conversation", () => {
    const kept = JSON.stringify(trailOf(event, { promptAt, timeline }));
    expect(kept).not.toContain("secret");
    expect(kept).not.toContain("another");
  });
});
