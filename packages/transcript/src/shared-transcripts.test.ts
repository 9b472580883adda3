import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import type { AgentName, ToolCallRecord, TurnTimeline } from "./types.ts";

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

  test.for(truths)("$file", (truth) => {
    const bytes = gunzipSync(readFileSync(join(SHARED, truth.file)));
    const path = join(folder, basename(truth.file, ".gz"));
    writeFileSync(path, bytes);
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
