import { describe, expect, test } from "vitest";
import { createReporter } from "../report.ts";
import { MODES } from "./messages.ts";
import { validateHandoffRequest, validateHandoffResponse } from "./validate.ts";

const request = {
  task_id: "auth-1",
  phase: "build",
  mode: "code",
  context: { feature: "auth", relevant_files: ["src/auth.ts"], previous_summary: "Sessions live in src/auth.ts." },
  instructions: "Add sign-out.",
};
const response = {
  task_id: "auth-1",
  status: "complete",
  decision: "PROCEED",
  findings: { files_modified: ["src/auth.ts"] },
  context_summary: "Sign-out added, 6 tests pass.",
};
const context = (fields: object) => ({ ...request, context: { feature: "auth", ...fields } });
const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

function quietly() {
  const lines: string[] = [];
  const reporter = createReporter((line) => lines.push(line));
  return { lines, reporter };
}
const checkRequest = (given: unknown) => validateHandoffRequest(given, quietly().reporter);
const checkResponse = (given: unknown, asked?: { task_id: string }) =>
  validateHandoffResponse(given, asked, quietly().reporter);

describe("a request", () => {
  test("that is well comes back as it is", () => {
    expect(checkRequest(request)).toEqual({ valid: true, errors: [], warnings: [], message: request });
  });

  test.for(MODES)("may have the mode %s", (mode) => {
    expect(checkRequest({ ...request, mode }).valid).toBe(true);
  });

  test("may have fields that nobody knows, at every level", () => {
    const given = { ...context({ note: { deep: 1 } }), extra: [1] };
    expect(checkRequest(given).message).toEqual(given);
  });

  const accepted = [
    { name: "500 tokens", fields: { previous_summary: words(500) }, summary: words(500), warnings: [] },
    { name: "no summary", fields: {}, summary: undefined, warnings: [] },
    { name: "null", fields: { previous_summary: null }, summary: null, warnings: [] },
    { name: "the old name", fields: { previous_findings: "a" }, summary: "a", warnings: ["old"] },
    { name: "both, alike", fields: { previous_findings: "a", previous_summary: "a" }, summary: "a", warnings: ["old"] },
    {
      name: "the old one empty",
      fields: { previous_findings: null, previous_summary: "a" },
      summary: "a",
      warnings: [],
    },
  ];
  test.for(accepted)("with $name", ({ fields, summary, warnings }) => {
    const { message, warnings: said, ...rest } = checkRequest(context(fields));
    expect(rest).toEqual({ valid: true, errors: [] });
    expect(message?.context.previous_summary).toBe(summary);
    expect(Object.keys(message?.context ?? {})).not.toContain("previous_findings");
    expect(said).toEqual(warnings.map(() => "`previous_findings` is the old name of `previous_summary`"));
  });

  const differ = "`previous_summary` and `previous_findings` differ: send one of them";
  const refused = [
    {
      name: "501 tokens",
      given: context({ previous_summary: words(501) }),
      error: "Context summary exceeds 500 token limit (actual: 501 tokens)",
    },
    {
      name: "501 tokens by the old name",
      given: context({ previous_findings: words(501) }),
      error: "Context summary exceeds 500 token limit (actual: 501 tokens)",
    },
    {
      name: "501 tokens outside of the context",
      given: { ...context({}), previous_summary: words(501) },
      error: "Context summary exceeds 500 token limit (actual: 501 tokens)",
    },
    {
      name: "one long word",
      given: context({ previous_summary: "x".repeat(20_000) }),
      error: "Context summary exceeds 1500 estimated tokens (estimated: 2500 tokens)",
    },
    { name: "two summaries", given: context({ previous_summary: "a", previous_findings: "b" }), error: differ },
    {
      name: "two summaries in two places",
      given: { ...context({ previous_summary: "a" }), previous_findings: "b" },
      error: differ,
    },
    {
      name: "a list as summary",
      given: context({ previous_summary: ["a"] }),
      error: '`context.previous_summary`: expected string, found ["a"]',
    },
    {
      name: "a mode of its own",
      given: { ...request, mode: "banana" },
      error: '`mode`: expected ("plan" | "code" | "ui" | "docs" | "eval" | "reconcile" | "research"), found "banana"',
    },
    { name: "no task", given: { ...request, task_id: " " }, error: '`task_id`: expected some words, found " "' },
    {
      name: "no context",
      given: { ...request, context: undefined },
      error: '`context`: expected "context", found nothing',
    },
  ];
  test.for(refused)("is refused with $name", ({ given, error }) => {
    expect(checkRequest(given)).toEqual({ valid: false, errors: [error], warnings: expect.any(Array), message: null });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const throwing = Object.defineProperty({}, "task_id", { enumerable: true, get: () => JSON.parse("{") });
  test.for([undefined, null, "text", 7, [], cyclic, throwing, () => 1, 10n])(
    "is never thrown back: case %#",
    (given) => {
      expect(checkRequest(given)).toMatchObject({ valid: false, message: null });
    },
  );

  test("is not changed, and its `__proto__` changes nothing", () => {
    const given = JSON.parse(`{"__proto__":{"mode":"plan"},"task_id":"x","context":{"__proto__":{"feature":"y"}}}`);
    expect(checkRequest(Object.freeze(given)).valid).toBe(false);
    expect(Object.getOwnPropertyDescriptor(Object.prototype, "mode")).toBeUndefined();
  });
});

describe("a response", () => {
  test("that answers the request comes back as it is", () => {
    expect(checkResponse(response, request)).toEqual({ valid: true, errors: [], warnings: [], message: response });
  });

  const refused = [
    {
      name: "another task",
      given: { ...response, task_id: "b" },
      error: '`task_id`: expected the request\'s "auth-1", found "b"',
    },
    {
      name: "501 tokens",
      given: { ...response, context_summary: words(501) },
      error: "Context summary exceeds 500 token limit (actual: 501 tokens)",
    },
    {
      name: "no summary",
      given: { ...response, context_summary: undefined },
      error: '`context_summary`: expected "context_summary", found nothing',
    },
    {
      name: "an object as summary",
      given: { ...response, context_summary: { a: 1 } },
      error: '`context_summary`: expected string, found {"a":1}',
    },
    {
      name: "a status of its own",
      given: { ...response, status: "banana" },
      error: '`status`: expected ("complete" | "partial" | "blocked"), found "banana"',
    },
  ];
  test.for(refused)("is refused with $name", ({ given, error }) => {
    expect(checkResponse(given, request)).toEqual({ valid: false, errors: [error], warnings: [], message: null });
  });

  test("without a request is looked at by itself", () => {
    expect(checkResponse({ ...response, task_id: "b" }).valid).toBe(true);
  });
});

test("what is wrong goes to the log and can be asked for", () => {
  const { lines, reporter } = quietly();
  validateHandoffRequest(context({ previous_findings: words(501) }), reporter);
  expect(lines).toEqual([
    "Handoff request: `previous_findings` is the old name of `previous_summary`",
    "Handoff request: Context summary exceeds 500 token limit (actual: 501 tokens)",
  ]);
  expect(reporter.getLastError()).toEqual({ code: "invalid", message: lines[1] });
});
