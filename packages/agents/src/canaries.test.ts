import { join } from "node:path";
import { extractToolCallsCurrentTurnSync, findTranscript, recogniseTranscript } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import type { CanaryTurn } from "./agent.ts";
import { AGENTS } from "./agents.ts";
import { testFolder, writeTestFile } from "./testing/test-folder.ts";
import { WIRES } from "./wires.ts";

/** What the folder of an agent says of it in several places has to fit together; a new agent is tested by its row. */
describe.for(AGENTS)("$title", ({ name, canary, settingsFile, events }) => {
  const stage = (): CanaryTurn => {
    const folder = testFolder();
    const turn: CanaryTurn = {
      sessionId: "0190a000-0000-7000-8000-000000000001",
      promptId: "0190a000-0000-7000-8000-000000000002",
      prompt: "Change the canary",
      lastMessage: "The canary is changed.",
      project: join(folder, "project"),
      file: "canary.ts",
      transcriptPath: join(folder, "transcript.jsonl"),
      promptAt: new Date("2026-03-02T08:55:00.000Z"),
      stopAt: new Date("2026-03-02T09:00:00.000Z"),
    };
    const lines = canary.transcript(turn).map((line) => `${JSON.stringify(line)}\n`);
    writeTestFile(turn.transcriptPath, lines.join(""));
    return turn;
  };

  test.for([false, true])("the wire reads its stop, blocked before: %s", (isRepeated) => {
    const turn = stage();
    const { sessionId, project: projectPath, transcriptPath } = turn;
    const parsed = WIRES[name].parse({ ...canary.stopEvent(turn, isRepeated) }, canary.environment(turn));
    const event = { type: "stop", sessionId, projectPath, transcriptPath, isRepeated, exemption: null };
    expect(parsed).toMatchObject({ ok: true, event });
  });

  test("the wire reads its prompt", () => {
    const turn = stage();
    const { sessionId, project: projectPath, prompt: text } = turn;
    const parsed = WIRES[name].parse({ ...canary.promptEvent(turn) }, canary.environment(turn));
    expect(parsed).toMatchObject({ ok: true, event: { type: "prompt", sessionId, projectPath, text, isHuman: true } });
  });

  test("the wire blocks by the decision that it understands, with the message as reason", () => {
    expect(WIRES[name].block("message")).toMatchObject({ decision: canary.blocks, reason: "message" });
  });

  test("its transcript is recognised, and tells of one edit since the prompt", () => {
    const { transcriptPath, sessionId, prompt: promptText, promptAt } = stage();
    expect(recogniseTranscript(transcriptPath)).toMatchObject({ agentName: name, sessionId, isSubAgent: false });
    const timeline = extractToolCallsCurrentTurnSync(transcriptPath, name, { promptText });
    expect(timeline).toMatchObject({ hasData: true, isWhole: true, skippedLines: 0, prompt: { timestamp: promptAt } });
    expect(timeline.toolCalls.map(({ kind, hadError }) => [kind, hadError])).toEqual([["edit", false]]);
  });

  test("a session that it never had is not found", () => {
    const home = testFolder();
    expect(findTranscript({ agentName: name, sessionId: "none", projectPath: home, home, env: {} })).toBe(null);
  });

  test("hooks are registered for a prompt and a stop, in a file of the person's and one of the project's", () => {
    const place = { env: {}, userHome: "/home/me", projectRoot: "/project" };
    expect(events.map(({ kind }) => kind)).toEqual(["prompt", "stop"]);
    expect(settingsFile("user", place)).toMatch(/^\/home\/me\//);
    expect(settingsFile("project", place)).toMatch(/^\/project\//);
  });
});
