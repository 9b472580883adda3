import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openStore } from "@agent-checkpoint/store";
import axe from "axe-core";
import { execa } from "execa";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { stageSession } from "../../apps/cli/src/testing/stage-session.ts";
import { loadScenario, type Scenario } from "../../fixtures/src/index.ts";
import { stageRecord } from "../../apps/cli/src/dashboard/testing/stage-record.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/cli/dist/checkpoint.mjs", import.meta.url));
const AXE = axe.source;
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const isMissing = !existsSync(CHROMIUM);
if (isMissing && process.env["CI"]) throw new Error(`${CHROMIUM} is missing: apt-get install chromium`);
if (isMissing)
  console.warn(`The tests of the dashboard are skipped: ${CHROMIUM} is missing (apt-get install chromium).`);

const HOSTILE = `/work/<img src=x onerror="document.title='taken'">`;
/** The tests are spoken of, and not run. */
const TURN: Scenario["turn"] = [
  { read: "src/server.ts" },
  { edit: "src/server.ts" },
  { shell: "echo npm test", output: "npm test" },
];
const WIDE = { viewport: { width: 1280, height: 900 } };

let folder: string;
let browser: Browser;

beforeAll(async () => {
  if (isMissing) return;
  folder = mkdtempSync(join(tmpdir(), "checkpoint-dashboard-"));
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const homeOf = (name: string | number) => join(folder, `home-${name}`);

/** Starts the built program with so many stops on record, and ends it after the test. */
async function startDashboard(stops: number): Promise<string> {
  const home = homeOf(stops);
  if (!existsSync(home)) {
    mkdirSync(home, { mode: 0o700 });
    if (stops > 0) await stageRecord(home, { stops, now: new Date(), repositories: ["/repo/shop", HOSTILE] });
  }
  return startIn(home);
}

async function startIn(home: string): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: folder, CHECKPOINT_HOME: home };
  const program = execa(process.execPath, [PROGRAM, "dashboard", "--no-open"], {
    env,
    extendEnv: false,
    reject: false,
  });
  onTestFinished(async () => {
    // The end of the pipe ends the server.
    program.stdin.end();
    expect((await program).exitCode).toBe(0);
  });
  return new Promise((resolve) => program.stdout.once("data", (text) => resolve(String(text).trim())));
}

interface Opened {
  readonly page: Page;
  /** Errors, and requests to elsewhere. */
  readonly faults: readonly string[];
}

/** Opens a link in a new profile; the page has come when it has a heading. */
async function openLink(link: string, options: BrowserContextOptions = WIDE): Promise<Opened> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
  page.on("pageerror", (error) => void faults.push(String(error)));
  page.on("request", (request) => void (request.url().startsWith(new URL(link).origin) || faults.push(request.url())));
  await page.goto(link);
  await page.waitForSelector("h1");
  return { page, faults };
}

/** For people to look at, where they ask for it. */
async function keepShot(page: Page, name: string): Promise<void> {
  const shots = process.env["CHECKPOINT_SCREENSHOTS"];
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.reload();
  await page.evaluate(AXE);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  return page.evaluate(async (runOnly) => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run: (at: unknown, how: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await tool.run((globalThis as unknown as { document: unknown }).document, { runOnly });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120) ?? ""}`);
  }, tags);
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number } };
      innerWidth: number;
    };
    return document.documentElement.scrollWidth > innerWidth;
  });

describe.skipIf(isMissing)("the dashboard in Chromium", () => {
  const looks: readonly { title: string; options: BrowserContextOptions }[] = [
    { title: "light", options: { ...WIDE, colorScheme: "light" } },
    { title: "dark", options: { ...WIDE, colorScheme: "dark" } },
    { title: "narrow", options: { viewport: { width: 390, height: 844 }, colorScheme: "light" } },
    { title: "narrow and dark", options: { viewport: { width: 390, height: 844 }, colorScheme: "dark" } },
  ];
  test.for(looks)("$title: every panel, names as text, nothing from elsewhere, axe finds nothing", async (look) => {
    const { page, faults } = await openLink(await startDashboard(400), look.options);
    expect(await page.locator("h2").allInnerTexts()).toEqual([
      "Ninety days",
      "Rules",
      "Looks like noise",
      "Repositories",
      "Last stops",
    ]);
    expect(await page.locator("dl.figures dt").count()).toBe(5);
    expect(await page.locator("dl.figures .quiet").innerText()).toContain("gone quiet");
    expect(await page.locator("svg.trend g").count()).toBe(90);
    expect(await page.locator("svg.interval").count()).toBe(3);
    expect(await page.locator(".noisy code").first().innerText()).toContain("checkpoint rules set check-logs advise");
    expect([await page.locator("img").count(), await page.locator("script").count()]).toEqual([0, 0]);
    expect(await page.locator("th", { hasText: "onerror" }).count()).toBe(1);
    expect(new URL(page.url()).search).toBe("");
    expect(await isTooWide(page)).toBe(false);
    expect(faults).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await keepShot(page, look.title);
  });

  test("filters by the keyboard, keeps them in the address, and leads to a stop and back", async () => {
    const { page, faults } = await openLink(await startDashboard(400), { ...WIDE, javaScriptEnabled: false });
    await page.selectOption("select[name=agent]", "codex");
    await page.selectOption("select[name=repository]", HOSTILE);
    await page.selectOption("select[name=rule]", "tests");
    await page.selectOption("select[name=days]", "90");
    await page.focus("form.filters button");
    await page.keyboard.press("Enter");
    await page.waitForURL(/agent=codex/);
    expect(await page.locator(".brand").innerText()).toBe(
      `agent-checkpoint · last 90 days · Codex · ${HOSTILE} · rule tests`,
    );
    expect(await page.locator("select[name=rule]").inputValue()).toBe("tests");
    expect(new Set(await page.locator("section:last-of-type td:nth-of-type(2)").allInnerTexts())).toEqual(
      new Set(["Codex"]),
    );
    await page.click("text=Stop that");
    expect(new URL(page.url()).searchParams.get("refresh")).toBe("off");
    await page.locator("section:last-of-type a").first().click();
    expect(await page.locator("h1").innerText()).toContain("blocked");
    expect(await page.locator("h2").allInnerTexts()).toContain("What came of it");
    await page.click(".brand a");
    expect(await page.locator("h2").first().innerText()).toBe("Ninety days");
    expect(faults).toEqual([]);
  });

  test("the page of a stop: axe finds nothing", async () => {
    const { page } = await openLink(await startDashboard(400));
    await page.locator("section:last-of-type a", { hasText: "Stop 397" }).click();
    await page.waitForSelector("dl.facts");
    expect(await violationsOf(page)).toEqual([]);
    await keepShot(page, "stop of the record");
  });

  test("an empty record says what to do", async () => {
    const { page, faults } = await openLink(await startDashboard(0));
    expect(await page.locator("h1").innerText()).toMatch(/^Nothing yet\./);
    expect(await page.locator("ol code").allInnerTexts()).toEqual(["checkpoint init", "checkpoint doctor"]);
    expect(faults).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await keepShot(page, "empty");
  });

  test("a stop has the whole of its why: what came of it, the message, files and evidence call by call", async () => {
    const home = homeOf("played");
    const session = await stageSession(
      { ...loadScenario("generic-tests-missing"), turn: TURN },
      { agent: "claude", folder, home },
    );
    await session.prompt();
    const { reason } = JSON.parse(await session.stop()) as { reason: string };
    session.goOn([{ shell: "npm test", output: "# tests 3\n# pass 3\n# fail 0\n" }]);
    await session.stop(new Date(session.stoppedAt.getTime() + 90_000), { stop_hook_active: true });
    const { page, faults } = await openLink(await startIn(home));
    // The session is of a fixed day in the past.
    await page.goto(`${page.url()}stops/1`);
    expect(await page.locator("h2").allInnerTexts()).toEqual([
      "Turn",
      "What came of it",
      "The message",
      "Actions and their evidence",
      "Observations",
      "Files",
    ]);
    expect((await page.locator("pre").innerText()).trimEnd()).toBe(reason.trimEnd());
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/tests\s+require\s+done/);
    expect(text).toContain("The rest of the turn took");
    expect(text).toMatch(/Call 3:\s*echo … test\s+only mentioned: in an argument of echo/);
    expect(text).toContain("src/server.ts");
    expect(faults).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await keepShot(page, "stop");
  });

  test("it is made anew every minute while it is open", { timeout: 150_000 }, async () => {
    const { page } = await openLink(await startDashboard(40));
    expect(await page.locator("h1").innerText()).not.toContain("41 stops");
    const opened = await openStore(homeOf(40));
    if (!opened.ok) throw new Error(opened.detail);
    const [last] = await opened.store.stops.list({ limit: 1 });
    await opened.store.stops.record({ ...last!, turn: "one more", at: new Date(), reason: "snoozed" });
    await opened.store.close();
    await page.waitForSelector("text=snoozed", { timeout: 120_000 });
  });

  test("a hundred thousand stops are a page like any other", async () => {
    const { page } = await openLink(await startDashboard(100_000));
    expect(await page.locator("h1").innerText()).toContain("stops were blocked");
    expect(await page.locator("section:last-of-type tbody tr").count()).toBe(25);
    await keepShot(page, "a hundred thousand");
  });

  test("the file that starts the browser leads to the page, and the cookie comes along", async () => {
    const link = await startDashboard(400);
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`data:text/html,<meta http-equiv="refresh" content="0; url=${link}">`).catch(() => null);
    await page.waitForSelector("h1");
    expect(await page.locator("h1").innerText()).toContain("stops were blocked");
  });

  test("a page of another site can neither fetch it nor frame it, while its owner looks at it", async () => {
    const link = await startDashboard(400);
    const { page } = await openLink(link);
    const own = page.url();
    const attack = `<!doctype html><iframe src="${own}"></iframe><script>fetch("${own}", { credentials: "include" }).then(() => (document.title = "read"), () => (document.title = "refused"))</script>`;
    const hostile = createServer((_, response) => response.setHeader("content-type", "text/html").end(attack));
    await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void hostile.close());
    const other = await page.context().newPage();
    await other.goto(`http://localhost:${(hostile.address() as AddressInfo).port}/`);
    await expect.poll(() => other.title()).toBe("refused");
    const inner = await other
      .frames()[1]
      ?.evaluate(() => (globalThis as unknown as { document: { body: { innerText: string } } }).document.body.innerText)
      .catch(() => "");
    expect(inner ?? "").not.toContain("stops were blocked");
  });
});
