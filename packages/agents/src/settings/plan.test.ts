import { describe, expect, test } from "vitest";
import { projectCommand, userCommand } from "../program/hook-command.ts";
import { planRegistration, planRemoval, type WantedHook } from "./plan.ts";

const args = "--agent gemini";
const command = userCommand({ node: "/usr/bin/node", program: "/opt/checkpoint-hook.cjs" }, args);
const stale = userCommand({ node: "/old/node", program: "/old/checkpoint-hook.cjs" }, args);
const hook = { name: "agent-checkpoint", type: "command", command, timeout: 30_000 } as const;
const wanted: readonly WantedHook[] = [{ event: "AfterAgent", args, hook }];

/** A settings file with these hooks in one group each. */
const fileWith = (...hooks: readonly object[]) =>
  JSON.stringify({ hooks: { AfterAgent: hooks.map((entry) => ({ hooks: [entry] })) } }, null, 2);
const foreign = { type: "command", command: "notify-send done" };

describe("what becomes of hooks of ours that are there already", () => {
  const cases = [
    { there: "none", before: [foreign], after: [foreign, hook], kinds: ["added"] },
    { there: "the same", before: [hook, foreign], after: [hook, foreign], kinds: ["kept"] },
    {
      there: "one with an old path, between others",
      before: [foreign, { ...hook, command: stale }, foreign],
      after: [foreign, hook, foreign],
      kinds: ["updated"],
    },
    {
      there: "one of another form",
      before: [{ ...hook, command: projectCommand(".", args) }],
      after: [hook],
      kinds: ["updated"],
    },
    { there: "two", before: [hook, foreign, hook], after: [hook, foreign], kinds: ["duplicate-removed"] },
    {
      there: "an old one and a right one",
      before: [{ ...hook, command: stale }, hook],
      after: [hook],
      kinds: ["duplicate-removed", "updated"],
    },
    {
      there: "one with seconds for milliseconds",
      before: [{ ...hook, timeout: 30 }],
      after: [hook],
      kinds: ["updated"],
    },
    {
      there: "one with a timeout in words",
      before: [{ ...hook, timeout: "30000" }],
      after: [hook],
      kinds: ["updated"],
    },
    {
      there: "one with a longer timeout and a field of the person's",
      before: [{ ...hook, timeout: 60_000, description: "mine" }],
      after: [{ ...hook, timeout: 60_000, description: "mine" }],
      kinds: ["kept"],
    },
    {
      there: "one without a name",
      before: [{ type: "command", command, timeout: 30_000 }],
      after: [{ type: "command", command, timeout: 30_000, name: "agent-checkpoint" }],
      kinds: ["updated"],
    },
    {
      there: "a command of the person's own that calls our program",
      before: [{ type: "command", command: "nice checkpoint-hook --agent gemini" }],
      after: [{ type: "command", command: "nice checkpoint-hook --agent gemini" }],
      kinds: ["left-alone"],
    },
    {
      there: "one for another agent",
      before: [{ ...hook, command: command.replace("gemini", "claude") }],
      after: [{ ...hook, command: command.replace("gemini", "claude") }, hook],
      kinds: ["added"],
    },
  ];
  test.for(cases)("$there", ({ before, after, kinds }) => {
    const plan = planRegistration(fileWith(...before), wanted);
    expect(plan).toEqual({
      ok: true,
      text: fileWith(...after),
      changes: kinds.map((kind) => ({ event: "AfterAgent", kind })),
    });
  });

  test("a hook in a group of the person's is set right where it stands, and leaves the others when it goes", () => {
    const group = (entry: object) => JSON.stringify({ hooks: { AfterAgent: [{ hooks: [foreign, entry, foreign] }] } });
    const plan = planRegistration(group({ ...hook, command: stale }), wanted);
    expect(plan.ok && plan.text).toBe(group(hook));
    const removal = planRemoval(group(hook));
    expect(removal.ok && JSON.parse(removal.text)).toEqual({ hooks: { AfterAgent: [{ hooks: [foreign, foreign] }] } });
  });
});

test.for(["/opt/a b/checkpoint-hook", "C:/it's/checkpoint-hook.exe", "/opt/checkpoint-hook/checkpoint-hook.cjs"])(
  "what is written is known again, and goes again: %s",
  (program) => {
    const one = { event: "Stop", args, hook: { ...hook, command: userCommand({ node: null, program }, args) } };
    const plan = planRegistration(null, [one]);
    if (!plan.ok) throw new Error("no plan");
    expect(planRegistration(plan.text, [one])).toEqual({ ...plan, changes: [{ event: "Stop", kind: "kept" }] });
    expect(planRemoval(plan.text)).toMatchObject({ ok: true, isEmpty: true });
  },
);

test("a command that would not be known again is a fault, and is not added over and over", () => {
  const unknown = { event: "Stop", args, hook: { ...hook, command: "exec /opt/stop-hook --agent gemini" } };
  expect(() => planRegistration(null, [unknown])).toThrow("not our command: exec /opt/stop-hook");
});

describe("a file that cannot be merged into is refused, and the place is named", () => {
  const cases = [
    { file: `{\n  "model": "x"\n  "hooks": {}\n}`, line: 3, column: 3, expected: "a comma", found: '"hooks":' },
    { file: `{"a": 1`, line: 1, column: 8, expected: "a closing }", found: "the end of the file" },
    { file: "model: x\n", line: 1, column: 1, expected: "JSON", found: "model:" },
    { file: "[]", line: 1, column: 1, expected: "the file to be an object", found: "a list" },
    { file: `{\n\t"hooks": []\n}`, line: 2, column: 11, expected: "`hooks` to be an object", found: "a list" },
    {
      file: `{\r\n  "hooks": {\r\n    "AfterAgent": "echo"\r\n  }\r\n}`,
      line: 3,
      column: 19,
      expected: "`hooks.AfterAgent` to be a list",
      found: "a string",
    },
    {
      file: `{ "hooks": {}, "hooks": {} }`,
      line: 1,
      column: 16,
      expected: "each key of the file once",
      found: '"hooks" again',
    },
    { file: `{ "a": 1 } []`, line: 1, column: 12, expected: "the end of the file", found: "[]" },
    { file: `{ "a": }`, line: 1, column: 8, expected: "a value", found: "}" },
    { file: `{ "a": "b\n}`, line: 1, column: 8, expected: "the end of the string", found: '"b' },
    { file: `{} trailing`, line: 1, column: 4, expected: "JSON", found: "trailing" },
  ];
  test.for(cases)("$expected, found $found", ({ file, ...problem }) => {
    expect(planRegistration(file, wanted)).toEqual({ ok: false, problem });
  });

  test("what hooks of others look like is not our business", () => {
    expect(planRegistration(`{ "hooks": { "enabled": true, "BeforeTool": "odd" } }`, wanted).ok).toBe(true);
  });
});

describe("a file that holds nothing", () => {
  test.for([null, "", "\n  \n"])("%j becomes a file with our hooks, and nothing when they go", (text) => {
    const plan = planRegistration(text, wanted);
    expect(plan.ok && plan.text).toBe(`${JSON.stringify({ hooks: { AfterAgent: [{ hooks: [hook] }] } }, null, 2)}\n`);
    expect(plan.ok && planRemoval(plan.text)).toMatchObject({ text: "{}\n", isEmpty: true });
  });

  test("a comment is something", () => {
    const plan = planRegistration("{} // mine\n", wanted);
    expect(plan.ok && planRemoval(plan.text)).toMatchObject({ text: "{} // mine\n", isEmpty: false });
  });
});

test("a file that its agent has rewritten loses all that was made for our hooks", () => {
  const plan = planRegistration(`{"model":"x"}`, wanted);
  const rewritten = JSON.stringify(JSON.parse(plan.ok ? plan.text : ""), null, 4);
  const removal = planRemoval(rewritten);
  expect(removal.ok && removal.text).toBe(JSON.stringify({ model: "x" }, null, 4));
});

test("a command of the person's own is not taken out, and is told", () => {
  const text = fileWith({ type: "command", command: "nice checkpoint-hook --agent gemini" });
  expect(planRemoval(text)).toMatchObject({ text, removed: [], leftAlone: [{ event: "AfterAgent", line: 6 }] });
});
