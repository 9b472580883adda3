import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPostgresMissing } from "../../packages/service/src/testing/start-postgres.ts";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
if (!existsSync(CHROMIUM) && process.env["CI"]) throw new Error(`${CHROMIUM} is missing: apt-get install chromium`);
const isMissing = !existsSync(CHROMIUM) || isPostgresMissing();

let demo: ChildProcess;
let browser: Browser;
let page: Page;
const faults: string[] = [];

/** The demo: five machines, the service, and a link that opens the page once. */
beforeAll(async () => {
  if (isMissing) return;
  demo = spawn(process.execPath, [fileURLToPath(new URL("../../scripts/team-demo.ts", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const link = await new Promise<string>((resolve, reject) => {
    let said = "";
    demo.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\S+\/open\?[\w-]{22}(?=\n)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    demo.once("exit", () => reject(new Error(`the demo has ended: ${said}`)));
  });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
  page.on("request", (request) => void (request.url().startsWith(new URL(link).origin) || faults.push(request.url())));
  await page.goto(link);
  await page.waitForSelector("h1");
}, 120_000);

afterAll(async () => {
  if (isMissing) return;
  await browser?.close();
  const ended = new Promise((resolve) => demo.once("exit", resolve));
  demo.kill("SIGINT");
  await ended;
}, 60_000);

interface Size {
  readonly ariaLabel: string | null;
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

describe.skipIf(isMissing)("the team's page in Chromium", () => {
  test("every panel, no script, nothing from elsewhere, and the link is gone from the address", async () => {
    expect(await page.locator("h2").allInnerTexts()).toEqual(["Ninety days", "Rules", "Repositories", "Machines"]);
    expect(await page.locator("h1").innerText()).toMatch(/^It helps\. \d+ % of [\d,]+ stops were blocked/);
    expect(await page.locator("svg.trend g").count()).toBe(90);
    expect(await page.locator("script").count()).toBe(0);
    expect(new URL(page.url()).search).toBe("");
    expect(faults).toEqual([]);
    const shots = process.env["CHECKPOINT_SCREENSHOTS"];
    if (shots) await page.screenshot({ path: `${shots}/team.png`, fullPage: true });
  });

  test("the filters are asked of the server, and stay", async () => {
    await page.selectOption("select[name=repository]", "billing");
    await page.selectOption("select[name=days]", "90");
    await page.click("form button");
    await page.waitForURL(/repository=billing/);
    expect(await page.locator(".brand").innerText()).toContain("last 90 days · billing");
    expect(await page.inputValue("select[name=repository]")).toBe("billing");
  });

  const widths = [1280, 390];
  test.for(widths)("%i pixels wide: it fits, and axe finds nothing", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const session = await page.context().newCDPSession(page);
    await session.send("Page.setBypassCSP", { enabled: true });
    await page.reload();
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { axe: tool, document } = globalThis as unknown as {
        axe: { run: (at: unknown) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        document: { documentElement: Size; querySelectorAll: (selector: string) => Iterable<Size> };
      };
      const { violations } = await tool.run(document);
      // Nor is a table cut off, which would have to be scrolled to the side.
      const tooWide = [document.documentElement, ...document.querySelectorAll(".scroll")].filter(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
      );
      return [
        ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`),
        ...tooWide.map(({ ariaLabel, scrollWidth }) => `${ariaLabel ?? "the page"} is ${scrollWidth} pixels wide`),
      ];
    });
    expect(found).toEqual([]);
  });
});
