import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readTurnAtStop } from "./read-turn-at-stop.ts";
import { readTurns } from "./read-turns.ts";
import { recogniseTranscript } from "./find-transcript.ts";
import { digest } from "./turn/find-turns.ts";
import type { AgentName } from "./formats/agent-names.ts";
import type { ToolCallRecord, TurnTimeline } from "./types.ts";

/** 101 real sessions with independent ground truth. They belong to others and stand beside the repository, if anywhere. */
const SHARED = fileURLToPath(new URL("../../../../shared/transcripts", import.meta.url));

/** The files where we do not share the truth, each with the reason. There is none. */
const DISAGREEMENTS: Readonly<Record<string, string>> = {};

interface Truth {
  readonly file: string;
  readonly agent: AgentName;
  readonly last_prompt: { readonly line: number; readonly offset: number | null; readonly sha256_16: string } | null;
  readonly calls_since: readonly {
    readonly id: string;
    readonly name: string;
    readonly error: boolean | null;
    readonly soft_error?: boolean;
    readonly has_result: boolean;
    readonly rejected?: boolean;
  }[];
}

const compareWithTruth = (): void => {
  const truths = readFileSync(join(SHARED, "truth.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line): Truth => JSON.parse(line));
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "shared-transcripts-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("are all there, and we disagree with none", () => {
    expect(truths).toHaveLength(101);
    expect(DISAGREEMENTS).toEqual({});
  });

  const unpack = ({ file }: Truth): { readonly path: string; readonly bytes: Buffer } => {
    const path = join(folder, basename(file, ".gz"));
    if (!existsSync(path)) writeFileSync(path, gunzipSync(readFileSync(join(SHARED, file))));
    return { path, bytes: readFileSync(path) };
  };

  test.for(truths)("$file", (truth) => {
    const { path, bytes } = unpack(truth);
    const timeline = extractToolCallsCurrentTurnSync(path, truth.agent);
    expect({ prompt: promptOf(timeline), calls: callsOf(timeline) }).toEqual({
      prompt: truth.last_prompt && {
        digest: truth.last_prompt.sha256_16,
        offset: truth.last_prompt.offset ?? offsetOfMessage(bytes, truth.last_prompt.line),
      },
      calls: truth.calls_since.map((call) => ({
        id: call.id,
        toolName: call.name,
        hadError: call.soft_error === true || call.error,
        hasResult: call.has_result,
        rejected: call.rejected ?? false,
      })),
    });
  });

  test.for(truths)("$file is recognised", (truth) => {
    const { path } = unpack(truth);
    expect(recogniseTranscript(path)).toMatchObject({ status: "read", agentName: truth.agent });
  });

  test.for(truths)("the last turn of $file is the current one", (truth) => {
    const { path } = unpack(truth);
    const last = [...readTurns(path, truth.agent)].at(-1)?.timeline;
    // At a stop of Codex a hook is told the turn's id.
    const promptId = truth.agent === "codex" ? (last?.prompt?.id ?? undefined) : undefined;
    const current = extractToolCallsCurrentTurnSync(path, truth.agent, { promptId });
    expect(current).toEqual(last ?? { ...current, prompt: null, toolCalls: [] });
  });

  test.for(truths)("each turn of $file can be seen again as it was at its end", (truth) => {
    const { path } = unpack(truth);
    for (const { from, to, timeline } of readTurns(path, truth.agent)) {
      expect(readTurnAtStop(path, truth.agent, { from, to })).toEqual({
        status: "read",
        promptText: expect.toSatisfy((text: string) => digest(text) === timeline.prompt?.digest),
        toolCalls: timeline.toolCalls,
      });
    }
  });
};

const promptOf = (timeline: TurnTimeline): object | null =>
  timeline.hasData && timeline.prompt !== null
    ? { digest: timeline.prompt.digest, offset: timeline.prompt.offset }
    : null;

const callsOf = ({ toolCalls }: TurnTimeline): readonly Partial<ToolCallRecord>[] =>
  toolCalls
    .filter(({ by }) => by === "main")
    .map(({ id, toolName, hadError, hasResult, rejected }) => ({ id, toolName, hadError, hasResult, rejected }));

/** For Gemini's files the truth counts messages, each id once, and has no offsets. */
const offsetOfMessage = (bytes: Buffer, index: number): number => {
  const starts = [...bytes.toString("latin1").matchAll(/^ *\{\s*"id": ?"([0-9a-f-]{36})",\s*"timestamp"/gm)];
  const first = new Map(starts.toReversed().map((start) => [start[1], start.index + start[0].indexOf("{")]));
  return [...first.values()].toSorted((one, other) => one - other)[index] ?? -1;
};

const sayThatTheyAreAbsent = (): void => {
  test("are not beside this clone: the recordings in fixtures/ stand in for them", () => {
    expect(existsSync(SHARED)).toBe(false);
  });
};

const suite = existsSync(SHARED) ? compareWithTruth : sayThatTheyAreAbsent;

describe("the shared transcripts", () => {
  suite();
});
