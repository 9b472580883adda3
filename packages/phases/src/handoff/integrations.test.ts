import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createReporter } from "../report.ts";
import { DEFAULT_INTEGRATIONS, DISABLED_INTEGRATIONS, INTEGRATIONS_FILE, loadIntegrations } from "./integrations.ts";

/** What a project with this config gives, and what is said of it. */
function load(text: string | null) {
  const root = mkdtempSync(join(tmpdir(), "checkpoint-integrations-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, INTEGRATIONS_FILE);
  if (text !== null) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const lines: string[] = [];
  const reporter = createReporter((line) => lines.push(line));
  return { integrations: loadIntegrations(root, reporter), lines, error: reporter.getLastError()?.code ?? null };
}

const { linear, vercel } = DISABLED_INTEGRATIONS;

test("the design's defaults", () => {
  expect(DEFAULT_INTEGRATIONS).toEqual({
    linear: { enabled: true, team: "Basecamp", branch_prefix: "feature", use_native_automation: true },
    vercel: { enabled: true, wait_for_preview: true, preview_timeout_ms: 300_000, require_preview_success: false },
  });
});

const usable = [
  { name: "no file", text: null, integrations: DISABLED_INTEGRATIONS, lines: [] },
  { name: "nothing said", text: "{}", integrations: DISABLED_INTEGRATIONS, lines: [] },
  { name: "the defaults", text: JSON.stringify(DEFAULT_INTEGRATIONS), integrations: DEFAULT_INTEGRATIONS, lines: [] },
  {
    name: "a part",
    text: `\uFEFF{ "linear": { "enabled": true, "team": "Ops" } }`,
    integrations: { linear: { ...linear, enabled: true, team: "Ops" }, vercel },
    lines: [],
  },
  {
    name: "keys that nobody knows",
    text: `{ "$schema": "x", "github": {}, "vercel": { "wait": 1 } }`,
    integrations: DISABLED_INTEGRATIONS,
    lines: ["`github` means nothing here", "`vercel.wait` means nothing here"],
  },
];
test.for(usable)("$name", ({ text, integrations, lines }) => {
  const said = lines.map((line) => `${INTEGRATIONS_FILE}: ${line}`);
  expect(load(text)).toEqual({ integrations, lines: said, error: null });
});

const refused = [
  { text: `{ "linear": `, says: "expected a JSON object" },
  { text: `[]`, says: "expected a JSON object" },
  { text: `{ "linear": [] }`, says: "`linear`: expected Object, found a list" },
  { text: `{ "linear": true }`, says: "`linear`: expected Object, found true" },
  { text: `{ "linear": { "enabled": "yes" } }`, says: '`linear.enabled`: expected boolean, found "yes"' },
  { text: `{ "linear": { "team": "" } }`, says: '`linear.team`: expected the name of a team, found ""' },
  {
    text: `{ "vercel": { "preview_timeout_ms": "5m" } }`,
    says: '`vercel.preview_timeout_ms`: expected number, found "5m"',
  },
  {
    text: `{ "vercel": { "preview_timeout_ms": 5 } }`,
    says: "`vercel.preview_timeout_ms`: expected at least a second (1000), found 5",
  },
  { text: `{ "linear_client": {} }`, says: "`linear_client`: tokens and clients do not belong here" },
  { text: `{ "linear": { "personalAccessToken": "x" } }`, says: "`linear.personalAccessToken`: tokens and clients" },
  { text: `{ "linear": { "pat": "x" } }`, says: "`linear.pat`: tokens and clients" },
  { text: `{ "vercel": { "env": [{ "API_KEY": "x" }] } }`, says: "`vercel.env.0.API_KEY`: tokens and clients" },
];
test.for(refused)("$text", ({ text, says }) => {
  const { integrations, lines, error } = load(text);
  expect({ integrations, error }).toEqual({ integrations: DISABLED_INTEGRATIONS, error: "invalid" });
  expect(lines).toEqual([expect.stringContaining(`${INTEGRATIONS_FILE}: ${says}`)]);
});

test("a folder of that name is no config", () => {
  const root = mkdtempSync(join(tmpdir(), "checkpoint-integrations-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, INTEGRATIONS_FILE), { recursive: true });
  const reporter = createReporter(() => {});
  expect(loadIntegrations(root, reporter)).toBe(DISABLED_INTEGRATIONS);
  expect(reporter.getLastError()?.message).toBe(`${INTEGRATIONS_FILE} is not a regular file`);
});
