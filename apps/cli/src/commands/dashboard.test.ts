import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { stageRecord } from "../dashboard/testing/stage-record.ts";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

const NOW = new Date("2026-11-18T12:00:00Z");
const HOSTILE = `/work/<img src=x onerror="alert(1)">`;

async function stage(stops = 400): Promise<{ cwd: string; userHome: string; home: string; now: () => Date }> {
  const folder = scratchFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  if (stops > 0) await stageRecord(home, { stops, now: NOW, repositories: ["/repo/shop", HOSTILE] });
  return { cwd: folder, userHome: folder, home, now: () => NOW };
}

const figuresOf = async (args: readonly string[], stops?: number) => {
  const { stdout } = await runCheckpoint(["dashboard", "--json", ...args], await stage(stops));
  return JSON.parse(stdout);
};

describe("the figures", () => {
  test("count what is in the record", async () => {
    const figures = await figuresOf(["--days", "90"]);
    expect(figures.period).toMatchObject({ stops: 400, blocked: 100 });
    expect(figures.trend).toHaveLength(90);
    expect(figures.trend.reduce((sum: number, { stops }: { stops: number }) => sum + stops, 0)).toBe(400);
    expect(figures.cost).toEqual({ blocks: 100, seconds: 80, tokens: 4000 });
    expect(figures.rules.map(({ rule, mode, asked }: Record<string, unknown>) => [rule, mode, asked])).toEqual([
      ["tests", "require", 100],
      ["check-logs", "require", 34],
      ["lint", "shadow", 40],
    ]);
    expect(figures.rules[0].worth.low).toBeLessThan(figures.rules[0].worth.of);
    const { outcomes, known } = figures.period;
    expect(outcomes.done + outcomes.partly + outcomes.ignored + outcomes.waived).toBe(known);
  });
  test("name what looks like noise, with the command that changes it", async () => {
    const { noise } = await figuresOf(["--days", "90"]);
    expect(noise.map(({ rule, command }: Record<string, unknown>) => [rule, command])).toContainEqual([
      "check-logs",
      expect.stringMatching(/^checkpoint rules set check-logs advise( --agent claude)?$/),
    ]);
    expect(noise.map(({ rule }: { rule: string }) => rule)).not.toContain("tests");
  });
  test("tell an agent that has gone quiet from one that fires", async () => {
    const { agents } = await figuresOf([]);
    const quiet = agents.map(({ agent, isQuiet }: Record<string, unknown>) => [agent, isQuiet]);
    expect(Object.fromEntries(quiet)).toEqual({ claude: false, codex: false, gemini: true });
  });
  test("are of the period, the agent, the repository and the rule that were asked for", async () => {
    const all = await figuresOf(["--days", "90"]);
    const codex = await figuresOf(["--days", "90", "--agent", "codex"]);
    expect(codex.period.stops).toBe(80);
    expect(new Set(codex.last.map(({ agent }: { agent: string }) => agent))).toEqual(new Set(["codex"]));
    const there = await figuresOf(["--days", "90", "--repository", HOSTILE]);
    expect(there.period.stops).toBe(200);
    const rule = await figuresOf(["--days", "90", "--rule", "check-logs"]);
    expect(rule.period.outcomes.ignored).toBeLessThan(all.period.outcomes.ignored);
    expect(
      rule.last.every(({ asked }: { asked: { rule: string }[] }) => asked.some((one) => one.rule === "check-logs")),
    ).toBe(true);
    expect((await figuresOf(["--days", "7"])).period.stops).toBeLessThan(40);
  });
  test.for([
    { title: "nothing", stops: 0, word: "Nothing yet" },
    { title: "too few answers", stops: 12, word: "Too early to tell" },
    { title: "enough", stops: 4000, word: "It helps" },
  ])("$title: $word", async ({ stops, word }) => {
    expect((await figuresOf([], stops)).verdict.word).toBe(word);
  });
});

test("--out writes a page that only its owner can read, without script, and in which names are text", async () => {
  const place = await stage();
  const { stdout } = await runCheckpoint(["dashboard", "--out", "page.html"], place);
  const file = join(place.cwd, "page.html");
  expect(stdout).toBe(`The page is in ${file}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const page = readFileSync(file, "utf8");
  expect(page).not.toMatch(/<script|<img|<form|<a href="\.|https?:/);
  expect(page).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
});

test("a file that cannot be written is a fault", async () => {
  const { exitCode, stderr } = await runCheckpoint(["dashboard", "--out", "none/page.html"], await stage(0));
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("the page cannot be written")]);
});

describe("the server", () => {
  test.skipIf(process.platform === "win32")(
    "starts the browser with a file for its owner alone, and not with the link",
    async () => {
      const place = await stage(0);
      const bin = join(place.cwd, "bin");
      const seen = join(place.cwd, "seen");
      mkdirSync(bin);
      // Stands for the browser: notes its arguments, and what it was given to read.
      const script = `#!/bin/sh\n{ echo "$@"; ls -l "$1"; cat "$1"; } > ${seen}.new; mv ${seen}.new ${seen}\n`;
      for (const name of ["xdg-open", "open"]) writeFileSync(join(bin, name), script, { mode: 0o755 });
      let link = "";
      await runCheckpoint(["dashboard"], {
        ...place,
        env: { DISPLAY: ":0", PATH: `${bin}:/usr/bin:/bin` },
        isTerminal: true,
        out: (text) => void (link ||= text.trim()),
        ended: async () => void (await vi.waitFor(() => statSync(seen), { timeout: 15_000 })),
      });
      const [args = "", mode = "", page = ""] = readFileSync(seen, "utf8").split("\n");
      expect(args).toBe(join(place.home, "dashboard-0.html"));
      expect(mode).toMatch(/^-rw-------/);
      expect(page).toContain(`url=${link}"`);
      expect(readdirSync(place.home).filter((name) => name.endsWith(".html"))).toEqual([]);
    },
  );
  test("prints its link, serves the page and each stop, and ends with whoever started it", async () => {
    const place = await stage();
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    let link = "";
    const out = (text: string) => void (link ||= text.trim());
    const run = runCheckpoint(["dashboard"], { ...place, out, ended: () => ended });
    await expect.poll(() => link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?[0-9a-f]{64}$/);
    const opened = await fetch(link);
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    const base = `${new URL(link).origin}${opened.headers.get("refresh")?.replace("0; url=", "") ?? ""}`;
    const get = async (path: string) => {
      const answer = await fetch(base + path, { headers: { cookie } });
      return { status: answer.status, refresh: answer.headers.get("refresh"), text: await answer.text() };
    };
    const page = await get("?days=7&agent=codex");
    expect(page).toMatchObject({ status: 200, refresh: "60" });
    expect(page.text).toContain("last 7 days · Codex");
    expect(await get("?refresh=off")).toMatchObject({ status: 200, refresh: null });
    expect((await get("?days=x&agent=<b>&rule=%00")).status).toBe(200);
    const stop = await get("stops/1");
    expect(stop.text).toContain("2 actions still to be done: tests, check-logs.");
    expect([(await get("stops/999999")).status, (await get("stops/x")).status]).toEqual([404, 404]);
    end();
    expect((await run).exitCode).toBe(0);
    await expect(fetch(link)).rejects.toThrow("fetch failed");
    expect(readdirSync(place.home).filter((name) => name.endsWith(".html"))).toEqual([]);
  });
});
