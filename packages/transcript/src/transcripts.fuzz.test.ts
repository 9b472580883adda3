import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { AgentName } from "./formats/agent-names.ts";
import { damagedBytes } from "../../../fixtures/src/fuzzing/damaged-bytes.ts";
import { damagedLines } from "../../../fixtures/src/fuzzing/damaged-lines.ts";
import { FUZZING, fuzz } from "../../../fixtures/src/fuzzing/fuzz.ts";
import { hostileJson } from "../../../fixtures/src/fuzzing/hostile-json.ts";
import { extractToolCallsBetween } from "./extract-tool-calls-between.ts";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readContextUsage } from "./read-context-usage.ts";
import { readTurnAtStop } from "./read-turn-at-stop.ts";
import { readTurns } from "./read-turns.ts";
import { recogniseTranscript } from "./find-transcript.ts";
import { copyRecordings, type TestFolder } from "./testing/copy-recordings.ts";
import { listRecordings } from "./testing/list-recordings.ts";
import type { PastTurn, ToolCallRecord, TurnPrompt, TurnsEnd, TurnTimeline } from "./types.ts";

const LATER = new Date("2100-01-01T00:00:00Z");

describe.for(["claude", "gemini", "codex"] as const)("for %s", (agent) => {
  let folder: TestFolder;
  beforeAll(() => {
    folder = copyRecordings(agent);
  });
  afterAll(() => folder.remove());

  const recordings = listRecordings()
    .filter((recording) => recording.agent === agent)
    .map(({ name }) => ({
      name,
      bytes: readFileSync(new URL(`../fixtures/${agent}/${name}`, import.meta.url)),
    }));
  const names = recordings.map(({ name }) => name);

  /** Reads a file, and every transcript that it may be a sub-agent of, and puts the recording back. */
  const readAll = (name: string, damaged: Uint8Array) => {
    const path = join(folder.path, name);
    const before = recordings.find((recording) => recording.name === name)?.bytes ?? "";
    writeFileSync(path, damaged);
    utimesSync(path, LATER, LATER);
    try {
      readEverything(path, agent, damaged.length);
      for (const other of relatives(name, names)) readEverything(join(folder.path, other), agent, 0);
    } finally {
      writeFileSync(path, before);
      utimesSync(path, LATER, LATER);
    }
  };

  const damaged = fc.constantFrom(...recordings).chain(({ name, bytes }) =>
    fc.record({
      name: fc.constant(name),
      bytes: name.endsWith(".json") ? damagedBytes(bytes) : damagedLines(bytes),
    }),
  );
  test(
    "a damaged recording is read",
    FUZZING,
    fuzz({ quick: 45, long: 6000 }, damaged, ({ name, bytes }) => readAll(name, bytes)),
  );

  const long = fc
    .constantFrom(...recordings.filter(({ name }) => name.endsWith(".jsonl")))
    .chain(({ name, bytes }) => fc.record({ name: fc.constant(name), bytes: damagedLines(bytes, longText) }));
  test(
    "a recording with long texts is read",
    FUZZING,
    fuzz({ quick: 15, long: 2000 }, long, ({ name, bytes }) => readAll(name, bytes)),
  );

  const joined = fc
    .tuple(fc.constantFrom(...recordings), fc.constantFrom(...recordings))
    .chain(([one, other]) =>
      fc.record({ name: fc.constant(one.name), bytes: damagedLines(Buffer.concat([one.bytes, other.bytes])) }),
    );
  test(
    "two damaged recordings in one file are read",
    FUZZING,
    fuzz({ quick: 12, long: 2000 }, joined, ({ name, bytes }) => readAll(name, bytes)),
  );

  const invented = fc
    .tuple(fc.constantFrom(...names), fc.array(fc.oneof(hostileJson, inventedLine(agent)), { maxLength: 12 }))
    .map(([name, lines]) => ({ name, bytes: Buffer.from(lines.join("\n")) }));
  test(
    "invented lines are read",
    FUZZING,
    fuzz({ quick: 24, long: 3000 }, invented, ({ name, bytes }) => readAll(name, bytes)),
  );
});

/** What the formats look for in a text, over and over, as JSON. */
const longText = fc
  .record({
    unit: fc.constantFrom(
      ..."<task-notification>|<summary>|<status>|</task-notification>|<hook_context>|</untrusted_context>".split("|"),
      ..."*** Begin Patch\n|*** Add File: a|*** Move to: |apply_patch|exec_command({|exec_command({ cmd: \"|cmd:'".split(
        "|",
      ),
      ..."Command: |Chunk ID: a\nWall time: b\n|Wall time: |Exit code: 1|Exit Code: |Signal: 0\n|aborted by user".split(
        "|",
      ),
      ..."## My request for Codex:|<command-name>|Command running in background with ID: |\n| |\r\n|\t".split("|"),
      ..."\\|\"|'|`|$|{|}|[|;|&&|\ud800|\u{10ffff}|\0|a".split("|"),
    ),
    length: fc.constantFrom(1000, 20_000, 200_000),
    start: fc.constantFrom(
      "",
      "<task-notification>",
      "*** Begin Patch\n",
      "exec_command({ cmd: `",
      "Command: ",
      "apply_patch ",
    ),
    end: fc.constantFrom("", "x", "</task-notification>", "\n*** End Patch", "` })"),
  })
  .map(({ unit, length, start, end }) => JSON.stringify(start + unit.repeat(Math.ceil(length / unit.length)) + end));

/** Calls everything that reads a transcript, and looks at what it gives. */
function readEverything(path: string, agent: AgentName, size: number): void {
  const hints = {
    promptId: "29447fab-0000-4000-8000-000000000001",
    promptText: "Hello",
    ownMessages: ["agent-checkpoint:"],
  };
  for (const given of [{}, hints]) checkTimeline(extractToolCallsCurrentTurnSync(path, agent, given));
  for (const range of [
    { from: 0, to: size },
    { from: Math.floor(size / 2), to: size + 1 },
    { from: size, to: 0 },
  ])
    for (const call of extractToolCallsBetween(path, agent, range)) checkCall(call);
  const { turns, end } = drain(readTurns(path, agent, { ownMessages: hints.ownMessages }));
  hold(["read", "refused"].includes(end.status), "how the reading of turns ended");
  for (const { timeline, ending, from, to } of turns) {
    checkTimeline(timeline);
    hold(["stopped", "interrupted", "failed", "unfinished"].includes(ending.kind), "how a turn ended");
    const then = readTurnAtStop(path, agent, { from, to });
    hold(then.status === "read", "a turn that was there");
    if (then.status === "read") for (const call of then.toolCalls) checkCall(call);
  }
  const usage = readContextUsage(path, agent);
  hold(usage.status === "unknown" || Number.isFinite(usage.tokens), "the tokens in use");
  hold(["read", "refused"].includes(recogniseTranscript(path).status), "whose transcript it is");
}

function drain(turns: Generator<PastTurn, TurnsEnd, undefined>): { turns: readonly PastTurn[]; end: TurnsEnd } {
  const found: PastTurn[] = [];
  for (;;) {
    const next = turns.next();
    if (next.done === true) return { turns: found, end: next.value };
    found.push(next.value);
  }
}

function checkTimeline(timeline: TurnTimeline): void {
  for (const call of timeline.toolCalls) checkCall(call);
  if (timeline.hasData && timeline.prompt !== null) checkPrompt(timeline.prompt, timeline.size);
}

function checkPrompt({ offset, digest, timestamp, id }: TurnPrompt, size: number): void {
  hold(offset >= 0 && offset < size, "where the prompt is");
  hold(/^[0-9a-f]{16}$/.test(digest) && isMoment(timestamp) && isTextOrNull(id), "what the prompt is known by");
}

/** Cheaper than an expectation, of which each case would have hundreds. */
function hold(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`not well-formed: ${what}`);
}

/** What its type promises, which those who read it rely on. */
function checkCall(call: ToolCallRecord): void {
  const { id, toolName, kind, inputData, command, cwd, files, hadError, exitCode, resultSnippet, timestamp } = call;
  const isWellFormed =
    typeof id === "string" &&
    typeof toolName === "string" &&
    KINDS.has(kind) &&
    typeof inputData === "object" &&
    isTextOrNull(command) &&
    isTextOrNull(cwd) &&
    Array.isArray(files) &&
    files.every((file) => typeof file === "string") &&
    [true, false, null].includes(hadError) &&
    (exitCode === null || Number.isFinite(exitCode)) &&
    typeof resultSnippet === "string" &&
    resultSnippet.length <= 500 &&
    isMoment(timestamp);
  hold(isWellFormed, "a call");
}

const KINDS: ReadonlySet<string> = new Set(["shell", "read", "edit", "write", "search", "agent", "other"]);

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

const isMoment = (value: Date | null): boolean => value === null || !Number.isNaN(value.getTime());

/** The transcripts that may read a file as that of a sub-agent. */
function relatives(name: string, names: readonly string[]): readonly string[] {
  if (!name.includes("/") && !name.startsWith("agent-")) return [];
  const beside = names.filter((other) => other !== name && dirname(other) === dirname(name));
  const main = names.filter((other) => /^sub-agent[^/]*\.jsonl$/.test(other));
  return name.startsWith("agent-") || dirname(name).includes("subagents") || beside.length === 0
    ? main
    : beside.slice(0, 3);
}

/** Lines with the right keys and any values, among them ids that lead in circles. */
function inventedLine(agent: keyof typeof WORDS): fc.Arbitrary<string> {
  const id = fc.constantFrom('"a"', '"b"', "1", "null");
  const value = fc.oneof(
    { arbitrary: fc.constantFrom(...WORDS[agent].values), weight: 4 },
    { arbitrary: hostileJson, weight: 1 },
  );
  const field = fc.tuple(fc.constantFrom(...WORDS[agent].keys), fc.oneof(id, value));
  const object = fc
    .array(field, { maxLength: 8 })
    .map((fields) => `{${fields.map(([key, text]) => `"${key}":${text}`).join(",")}}`);
  return fc
    .tuple(fc.array(field, { minLength: 1, maxLength: 8 }), fc.constantFrom(...WORDS[agent].nests), object)
    .map(
      ([fields, nest, inner]) =>
        `{${[...fields.map(([key, text]) => `"${key}":${text}`), nest.replace("@", () => inner)].join(",")}}`,
    );
}

interface Words {
  readonly keys: readonly string[];
  readonly values: readonly string[];
  /** Where an object stands in a line of the agent. */
  readonly nests: readonly string[];
}

const WORDS = {
  claude: {
    keys: [
      "type",
      "uuid",
      "parentUuid",
      "sessionId",
      "promptId",
      "timestamp",
      "isSidechain",
      "isMeta",
      "cwd",
      "id",
      "name",
      "tool_use_id",
      "content",
      "text",
      "is_error",
      "input",
      "subtype",
      "toolUseResult",
      "attachment",
      "usage",
      "agentId",
      "backgroundTaskId",
    ],
    values: [
      '"user"',
      '"assistant"',
      '"tool_use"',
      '"tool_result"',
      '"text"',
      '"system"',
      '"2026-11-16T03:00:00.000Z"',
      '"Bash"',
      '"Edit"',
      '"Task"',
      "true",
      "false",
      '"<task-notification><task-id>a</task-id><status>completed</status></task-notification>"',
      '{"command":"make","file_path":"a"}',
    ],
    nests: [
      '"message":@',
      '"message":{"content":[@,@]}',
      '"message":{"role":"user","content":[@]},"type":"user","sessionId":"s"',
      '"toolUseResult":@',
      '"message":{"usage":@}',
      '"x":@',
    ],
  },
  gemini: {
    keys: [
      "type",
      "id",
      "timestamp",
      "content",
      "toolCalls",
      "name",
      "args",
      "status",
      "result",
      "resultDisplay",
      "agentId",
      "tokens",
      "input",
      "output",
      "model",
      "sessionId",
      "kind",
      "text",
    ],
    values: [
      '"user"',
      '"gemini"',
      '"info"',
      '"error"',
      '"2026-11-16T03:00:00.000Z"',
      '"run_shell_command"',
      '"replace"',
      '"success"',
      '"cancelled"',
      '{"command":"make"}',
      '"gemini-3"',
      "12",
      '"Exit Code: 1"',
    ],
    nests: [
      '"toolCalls":[@,@]',
      '"content":[@]',
      '"tokens":@',
      '"$set":@',
      '"$set":{"messages":[@,@]}',
      '"$rewindTo":"a","x":@',
      '"x":@',
    ],
  },
  codex: {
    keys: [
      "type",
      "timestamp",
      "ordinal",
      "id",
      "call_id",
      "turn_id",
      "role",
      "content",
      "name",
      "arguments",
      "output",
      "input",
      "text",
      "message",
      "item",
      "changes",
      "success",
      "status",
      "command",
      "cwd",
      "exit_code",
      "agent_id",
      "session_id",
      "instructions",
      "info",
    ],
    values: [
      '"response_item"',
      '"event_msg"',
      '"session_meta"',
      '"message"',
      '"user_message"',
      '"item_completed"',
      '"task_started"',
      '"task_complete"',
      '"function_call"',
      '"function_call_output"',
      '"custom_tool_call"',
      '"exec"',
      '"exec_command"',
      '"apply_patch"',
      '"CommandExecution"',
      '"UserMessage"',
      '"2026-11-16T03:00:00.000Z"',
      '"user"',
      String.raw`"{\"cmd\":\"make\"}"`,
      '"*** Begin Patch\\n*** Update File: a\\n*** End Patch"',
      "12",
    ],
    nests: [
      '"payload":@',
      '"type":"response_item","payload":@',
      '"type":"event_msg","payload":@',
      '"type":"event_msg","payload":{"type":"item_completed","turn_id":"a","item":@}',
      '"type":"session_meta","payload":@',
      '"x":@',
    ],
  },
} satisfies Partial<Record<AgentName, Words>>;
