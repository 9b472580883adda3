import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, test } from "vitest";
import { damagedJson } from "../../../../fixtures/src/fuzzing/damaged-json.ts";
import { fuzz, FUZZING } from "../../../../fixtures/src/fuzzing/fuzz.ts";
import { hostileJson } from "../../../../fixtures/src/fuzzing/hostile-json.ts";
import { createReporter } from "../report.ts";
import { validateContextSummary } from "../tokens/context-summary.ts";
import { INTEGRATIONS_FILE, loadIntegrations, parseIntegrations } from "./integrations.ts";
import { MODES } from "./messages.ts";
import { validateHandoffRequest, validateHandoffResponse } from "./validate.ts";

import fc from "fast-check";

const reporter = createReporter((line) => {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) throw new Error(`more than a line: ${line}`);
});

const root = mkdtempSync(join(tmpdir(), "checkpoint-handoff-fuzz-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(dirname(join(root, INTEGRATIONS_FILE)), { recursive: true });

const REQUEST = JSON.stringify({
  task_id: "t-1",
  phase: "build",
  mode: MODES[0],
  context: { feature: "a", spec_path: "spec.md", previous_summary: "Planned." },
  instructions: "Build it.",
  previous_findings: "Planned.",
});
const RESPONSE = JSON.stringify({
  task_id: "t-1",
  phase: "build",
  status: "complete",
  decision: "proceed",
  findings: { a: [1] },
  context_summary: "Built.",
  tokens_used: 12,
});

test(
  "any message is valid, or it is said why not",
  FUZZING,
  fuzz({ quick: 150, long: 6000 }, fc.oneof(damagedJson(REQUEST), damagedJson(RESPONSE), hostileJson), (text) => {
    const message: unknown = JSON.parse(text);
    const checks = [
      validateHandoffRequest(message, reporter),
      validateHandoffResponse(message, { task_id: "t-1" }, reporter),
    ];
    if (checks.some(({ valid, errors }) => !valid && errors.length === 0)) throw new Error("refused without a reason");
  }),
);

const CONFIG = JSON.stringify({ linear: { enabled: true, team: "A" }, vercel: { enabled: false, project: "x" } });

test(
  "any config of integrations is used or refused",
  FUZZING,
  fuzz({ quick: 90, long: 3000 }, fc.oneof(damagedJson(CONFIG), hostileJson, fc.string()), (text) => {
    const parsed = parseIntegrations(text);
    if (!parsed.ok && parsed.problems.length === 0) throw new Error("refused without a reason");
    writeFileSync(join(root, INTEGRATIONS_FILE), text);
    if (typeof loadIntegrations(root, reporter).linear.enabled !== "boolean") throw new Error("neither on nor off");
  }),
);

const longTexts = fc
  .tuple(
    fc.constantFrom("a", " ", "a ", "\n", "\u00a0", "\u{10ffff}", "\ud800", "<|endoftext|>"),
    fc.constantFrom(1, 600, 100_000),
  )
  .map(([unit, times]) => unit.repeat(times));
test(
  "any summary is short enough or not",
  FUZZING,
  fuzz({ quick: 24, long: 1000 }, fc.oneof(fc.string({ unit: "binary" }), longTexts), (summary) => {
    validateContextSummary(summary);
  }),
);
