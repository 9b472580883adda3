import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ReplayReport } from "../build-report.ts";
import { html, PAGE_STYLE, withCode } from "@agent-checkpoint/page";
import { renderHtmlReport } from "./render-html-report.ts";

const HOSTILE = `</script><script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;\u202E\u001B[31m`;

const totals = {
  sessions: 1,
  turns: 2,
  stops: 2,
  blocked: 1,
  blockedPercent: 50,
  blockedAfterCommit: 1,
  messageCharacters: 400,
  estimatedTokens: 100,
};

const example = {
  agent: "claude",
  session: HOSTILE,
  transcript: HOSTILE,
  project: HOSTILE,
  at: "2026-11-02T10:00:00Z",
  isSent: true,
  text: `Command \`${HOSTILE}\` failed`,
} as const;

const report: ReplayReport = {
  version: "1.2.3",
  generatedAt: "2026-11-16T00:00:00.000Z",
  config: HOSTILE,
  since: null,
  files: {
    found: 2,
    replayed: 1,
    subAgents: 0,
    otherAgents: 0,
    notTranscripts: 0,
    failed: [{ path: HOSTILE, reason: HOSTILE }],
  },
  totals,
  noStop: { [HOSTILE]: 1 },
  blockedFor: { "missing-actions": 1 },
  passedFor: { timer: 1 },
  noisePercent: 30,
  rules: [{ rule: HOSTILE, kind: "action", fired: 1, sent: 1, sentPercent: 50, isNoise: true, examples: [example] }],
  agents: [{ agent: "claude", ...totals }],
  projects: [{ project: HOSTILE, ...totals }],
};

const page = renderHtmlReport(report);

/** What a browser takes for tags. */
const tags = page.match(/<[a-z][^>]*>/gi) ?? [];

test("foreign strings stay text, wherever they stand", () => {
  expect(page).not.toContain("<script");
  expect(page).not.toContain("<img");
  expect(page).not.toContain("\u202E");
  expect(page).not.toContain("\u001B");
  expect(page.match(/&lt;\/script&gt;&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThanOrEqual(8);
});

test("the policy allows this page's own style, and nothing else", () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'`);
  expect(tags.filter((tag) => /\s(?:style|on[a-z]+)=/.test(tag))).toEqual([]);
});

test("the page needs nothing from elsewhere", () => {
  expect(tags.filter((tag) => /\s(?:src|href|action|data)=|^<(?:link|iframe|object|form)/.test(tag))).toEqual([]);
  expect(PAGE_STYLE).not.toMatch(/@import|url\(|https?:|fetch|XMLHttpRequest/);
});

test("the page tells the figures", () => {
  const text = page
    .replace(/<style>[\s\S]*<\/style>/, "")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\s+/g, " ");
  expect(text).toContain("1 of 2 stops would have been blocked");
  expect(text).toContain("1 rule would have spoken in more than 30 % of the stops, and may be noise.");
  expect(text).toContain("1 file could not be replayed");
});

test("code spans of our sentences become elements, and their content stays text", () => {
  expect(html`<p>${withCode("Run `a <b>` now")}</p>`.markup).toBe("<p>Run <code>a &lt;b&gt;</code> now</p>");
});
