import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRolloutLine } from "./rollout-events.ts";
import { readRecording } from "./testing/recordings.ts";
import { summarise } from "./testing/summarise.ts";

const AT = "2026-11-16T03:12:17.371Z";
const at = new Date(AT);

const line = (type: string, payload: object): object => ({ timestamp: AT, type, payload });
const event = (payload: object): object => line("event_msg", payload);
const message = (text: string): object => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const hookPrompt = '<hook_prompt hook_run_id="stop:1:/h.json">Is &lt;a&gt; &amp;amp; &quot;b&quot; done?</hook_prompt>';

const cases = [
  {
    is: "the start of a turn from the queue",
    value: event({ type: "task_started", turn_id: "t", turn_attribution: { turn_trigger: "queue" } }),
    gives: { type: "turn-started", turnId: "t", at, startedBy: "queue" },
  },
  {
    is: "the start of a turn of an older version",
    value: event({ type: "task_started", turn_id: "t" }),
    gives: { type: "turn-started", turnId: "t", at, startedBy: null },
  },
  {
    is: "a trigger that nobody knows yet",
    value: event({ type: "task_started", turn_id: "t", turn_attribution: { turn_trigger: "moon" } }),
    gives: { type: "turn-started", turnId: "t", at, startedBy: null },
  },
  {
    is: "a message of the human, since 0.148",
    value: event({ type: "item_completed", turn_id: "t", item: { type: "UserMessage", content: [{ text: "Do it" }] } }),
    gives: { type: "user-message", turnId: "t", at, text: "Do it" },
  },
  {
    is: "a message of the human, before 0.148",
    value: event({ type: "user_message", message: "Do it" }),
    gives: { type: "user-message", turnId: null, at, text: "Do it" },
  },
  {
    is: "a message of the human, bare",
    value: message("Do it"),
    gives: { type: "user-message", turnId: null, at: null, text: "Do it" },
  },
  { is: "context, bare", value: message("<environment_context>\n…"), gives: null },
  { is: "context in an event", value: event({ type: "user_message", message: "<environment_context>…" }), gives: null },
  { is: "what the model sees of a message", value: line("response_item", message("Do it")), gives: null },
  {
    is: "a hook's words, since 0.148",
    value: event({
      type: "item_completed",
      turn_id: "t",
      item: { type: "HookPrompt", fragments: [{ text: "Is <a> done?" }] },
    }),
    gives: { type: "hook-prompt", turnId: "t", at, text: "Is <a> done?" },
  },
  {
    is: "a hook's words, before 0.148",
    value: line("response_item", message(hookPrompt)),
    gives: { type: "hook-prompt", turnId: null, at, text: 'Is <a> &amp; "b" done?' },
  },
  {
    is: "what the model sees of a hook's words",
    value: { ...line("response_item", message(hookPrompt)), ordinal: 3 },
    gives: null,
  },
  {
    is: "the end of a turn",
    value: event({ type: "task_complete", turn_id: "t", last_agent_message: "Done." }),
    gives: { type: "turn-finished", turnId: "t", at, lastMessage: "Done.", hasError: false },
  },
  {
    is: "an error of the API",
    value: event({ type: "task_complete", turn_id: "t", last_agent_message: null, error: { message: "Overloaded" } }),
    gives: { type: "turn-finished", turnId: "t", at, lastMessage: null, hasError: true },
  },
  {
    is: "an interrupted turn",
    value: event({ type: "turn_aborted", turn_id: "t", reason: "interrupted" }),
    gives: { type: "turn-aborted", turnId: "t", at },
  },
  {
    is: "an interrupted turn of 0.40",
    value: event({ type: "turn_aborted", reason: "interrupted" }),
    gives: { type: "turn-aborted", turnId: null, at },
  },
  {
    is: "the first line of a bare rollout",
    value: { id: "one", timestamp: AT, instructions: null, git: {} },
    gives: { type: "thread", thread: { id: "one", cwd: null, cliVersion: null, kind: "other", startedAt: at } },
  },
  { is: "a thread without an id", value: line("session_meta", { cwd: "/p" }), gives: null },
  {
    is: "old messages in a summary",
    value: line("compacted", { replacement_history: [message("Do it")] }),
    gives: null,
  },
  { is: "an event with the name of a method", value: event({ type: "constructor" }), gives: null },
  { is: "a list", value: [1], gives: null },
];

test.for(cases)("$is", ({ value, gives }) => {
  expect(parseRolloutLine(JSON.stringify(value))).toEqual(gives);
});

const kinds = [
  {
    who: "the terminal, embedded",
    meta: { source: "cli", originator: "codex-tui", thread_source: "user" },
    kind: "interactive",
  },
  {
    who: "the terminal, in the daemon",
    meta: { source: "vscode", originator: "codex-tui", thread_source: "user" },
    kind: "interactive",
  },
  { who: "the terminal in 0.58", meta: { source: "cli", originator: "codex_cli_rs" }, kind: "interactive" },
  { who: "a script", meta: { source: "exec", originator: "codex_exec", thread_source: "user" }, kind: "exec" },
  {
    who: "another agent",
    meta: { source: { subagent: { thread_spawn: {} } }, originator: "codex-tui" },
    kind: "sub-agent",
  },
  {
    who: "a review",
    meta: { source: { subagent: "review" }, originator: "codex_exec", thread_source: "subagent" },
    kind: "sub-agent",
  },
  { who: "a parent", meta: { source: "cli", originator: "codex-tui", parent_thread_id: "p" }, kind: "sub-agent" },
  { who: "the desktop app", meta: { source: "vscode", originator: "Codex Desktop" }, kind: "other" },
  { who: "an editor in 0.40", meta: { originator: "codex_vscode" }, kind: "other" },
  { who: "a client of the server", meta: { source: "mcp", originator: "codex_cli_rs" }, kind: "other" },
];

test.for(kinds)("a thread of $who is $kind", ({ meta, kind }) => {
  const text = JSON.stringify(line("session_meta", { id: "one", cwd: "/p", cli_version: "0.1.0", ...meta }));
  expect(parseRolloutLine(text)).toEqual({
    type: "thread",
    thread: { id: "one", cwd: "/p", cliVersion: "0.1.0", kind, startedAt: at },
  });
});

const once = ["thread exec", "started by exec"];
const old = ["thread exec", "started by nobody"];
const atTheScreen = ["thread interactive", "started by user", "user: Check the greeting"];
const twoTurns = ["user: Check the greeting", "finished: It fails."];
const blocked = [
  "user: Make the greeting loud",
  "hook: Run the check again before you finish.",
  "finished: The check passes.",
];

const recordings = [
  { name: "blocked-once-then-finished", events: [...once, ...blocked] },
  { name: "blocked-once-then-finished-0.146.0", events: [...old, ...blocked] },
  { name: "blocked-once-then-finished-0.125.0", events: [...old, ...blocked] },
  { name: "shell-calls-0.45.0", events: ["thread exec", "user: Make the greeting loud"] },
  { name: "shell-calls-0.20.0", events: ["thread other", "user: Make the greeting loud"] },
  { name: "api-error", events: [...once, "user: Check the greeting", "finished with an error: nothing"] },
  { name: "interrupted", events: [...atTheScreen, "aborted"] },
  { name: "declined-approval", events: [...atTheScreen, "aborted"] },
  { name: "steered-turn", events: [...atTheScreen, "user: And run the program too", "finished: Both done."] },
  { name: "command-never-waited-for", events: [...once, "user: Check the greeting", "finished: It takes long."] },
  {
    name: "blocked-at-the-screen",
    events: [
      ...atTheScreen,
      "finished: It fails.",
      "started by user",
      "user: Run the program",
      "hook: Run the check again before you finish.",
      "finished: It fails still.",
    ],
  },
  {
    name: "queued-from-outside",
    events: [
      ...atTheScreen,
      "finished: It fails.",
      "started by queue",
      "user: Run the program",
      "finished: It says hello.",
    ],
  },
  {
    name: "compacted-by-hand",
    events: [
      ...atTheScreen,
      "finished: It fails.",
      "started by nobody",
      "finished: nothing",
      "started by user",
      "user: Run the program",
      "finished: It says hello.",
    ],
  },
  {
    name: "resumed-session",
    events: [...once, ...twoTurns, "started by exec", "user: Run the program", "finished: It says hello."],
  },
];

test.for(recordings)("the recording $name", ({ name, events }) => {
  const lines = readRecording(name).toString("utf8").split("\n");
  const found = lines.map((text) => parseRolloutLine(text)).filter((event) => event !== null);
  expect(found.map((event) => summarise(event))).toEqual(events);
});

test("any text gives an event or null", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(parseRolloutLine(text)).toBeDefined();
    }),
  );
});

test("any values in the places that are read give an event or null", () => {
  const word = fc.constantFrom(
    "session_meta",
    "event_msg",
    "response_item",
    "task_started",
    "task_complete",
    "turn_aborted",
    "user_message",
    "item_completed",
    "UserMessage",
    "HookPrompt",
    "message",
    "user",
    "constructor",
    "__proto__",
  );
  const leaf = fc.oneof(word, fc.jsonValue({ maxDepth: 1 }));
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.dictionary(
        fc.constantFrom(
          "type",
          "payload",
          "item",
          "content",
          "fragments",
          "text",
          "role",
          "turn_id",
          "id",
          "source",
          "error",
          "timestamp",
        ),
        tie("node"),
      ),
      fc.array(tie("node"), { maxLength: 2 }),
    ),
  })).node;
  fc.assert(
    fc.property(tree, (value) => {
      expect(parseRolloutLine(JSON.stringify(value) ?? "")).toBeDefined();
    }),
    { numRuns: 500 },
  );
});
