import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readTurnAtStop } from "./read-turn-at-stop.ts";
import { type TestFolder, copyRecordings } from "./testing/copy-recordings.ts";
import { listRecordings } from "./testing/list-recordings.ts";
import { digest } from "./turn/find-turns.ts";
import type { ToolCallRecord, TranscriptRange, TurnPrompt, TurnTimeline } from "./types.ts";

const folders = new Map<AgentName, TestFolder>();
beforeAll(() => {
  for (const agent of AGENT_NAMES) folders.set(agent, copyRecordings(agent));
});
afterAll(() => folders.forEach((folder) => folder.remove()));

const pathOf = (agent: AgentName, recording: string): string => join(folders.get(agent)?.path ?? "", recording);

interface Seen {
  readonly prompt: string | null;
  readonly toolCalls: readonly ToolCallRecord[];
}

const seenAgain = (agent: AgentName, path: string, range: TranscriptRange): Seen | string => {
  const turn = readTurnAtStop(path, agent, range);
  if (turn.status === "refused") return turn.reason;
  return { prompt: turn.promptText === null ? null : digest(turn.promptText), toolCalls: turn.toolCalls };
};

type Read = Extract<TurnTimeline, { readonly hasData: true }> & { readonly prompt: TurnPrompt };

const isRead = (timeline: TurnTimeline): timeline is Read => timeline.hasData && timeline.prompt !== null;

const seenThen = ({ prompt, toolCalls }: Read): Seen => ({ prompt: prompt.digest, toolCalls });

const byMain = (seen: Seen | string): Seen | string =>
  typeof seen === "string" ? seen : { ...seen, toolCalls: seen.toolCalls.filter(({ by }) => by === "main") };

const recordings = listRecordings();

test.for(recordings)("the end of $agent/$name is what the hook read", ({ agent, name }) => {
  const path = pathOf(agent, name);
  const timeline = extractToolCallsCurrentTurnSync(path, agent);
  expect(timeline).toSatisfy(isRead);
  const reads = [timeline].filter((read) => isRead(read));
  for (const read of reads)
    expect(seenAgain(agent, path, { from: read.prompt.offset, to: read.size })).toEqual(seenThen(read));
});

/** The file at each of its lines' ends, which is how a hook may have met it. */
function* growing(whole: Buffer): Generator<Buffer, void, undefined> {
  for (let at = whole.indexOf("\n"); at !== -1; at = whole.indexOf("\n", at + 1)) yield whole.subarray(0, at + 1);
}

test.for(recordings.filter(({ name }) => name.endsWith(".jsonl")))(
  "wherever $agent/$name ended, the turn of then can be seen again",
  ({ agent, name }) => {
    const path = pathOf(agent, name);
    const whole = readFileSync(path);
    const reads: Read[] = [];
    try {
      for (const part of growing(whole)) {
        writeFileSync(path, part);
        const timeline = extractToolCallsCurrentTurnSync(path, agent);
        if (isRead(timeline)) reads.push(timeline);
      }
    } finally {
      writeFileSync(path, whole);
    }
    expect(reads.length).toBeGreaterThan(0);
    for (const read of reads) {
      // What the sub-agents' files held then is not known: they are compared at the end only.
      const again = seenAgain(agent, path, { from: read.prompt.offset, to: read.size });
      expect(byMain(again)).toEqual(byMain(seenThen(read)));
    }
  },
);
