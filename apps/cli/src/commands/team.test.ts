import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ServedTeam, serveTeam } from "@agent-checkpoint/service";
import {
  isPostgresMissing,
  type Postgres,
  startPostgres,
} from "../../../../packages/service/src/testing/start-postgres.ts";
import { stageRecord } from "../dashboard/testing/stage-record.ts";
import type { Environment } from "../environment.ts";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

const isMissing = isPostgresMissing();
let postgres: Postgres;

beforeAll(async () => {
  if (!isMissing) postgres = await startPostgres();
}, 60_000);
afterAll(async () => {
  if (!isMissing) await postgres.remove();
}, 60_000);

async function startTeam(name: string): Promise<ServedTeam> {
  const served = await serveTeam({
    databaseUrl: await postgres.database(name),
    team: "shop",
    host: "127.0.0.1",
    port: 0,
    tls: null,
    isBehindProxy: false,
    keepMonths: 13,
    log: () => undefined,
  });
  onTestFinished(() => served.close());
  return served;
}

/** A person's machine with a home of its own, and a repository that it stands in. */
function aPerson(more: Partial<Environment> = {}) {
  const userHome = scratchFolder();
  const [cwd, home] = [join(userHome, "shop"), join(userHome, "state")];
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  const run = (...args: readonly string[]) => runCheckpoint(args, { cwd, userHome, home, ...more });
  return { cwd, home, run };
}

const isOk = { exitCode: 0, stderr: "" };

describe.skipIf(isMissing)("a machine in a team", () => {
  test("joins with a code, sends its record once, takes signed rules, and leaves", async () => {
    const team = await startTeam("whole");
    const [admin, laptop] = [aPerson(), aPerson()];
    expect(await admin.run("team", "join", team.url, "--code", team.adminCode ?? "", "--name", "boss")).toMatchObject(
      isOk,
    );
    const invited = await admin.run("team", "invite");
    const [, code = ""] = /--code (\S+)/.exec(invited.stdout) ?? [];
    expect(code).toMatch(/^[\w-]{22}\.[0-9a-f]{16}$/);

    await stageRecord(laptop.home, { stops: 1200, now: new Date(), repositories: ["/home/SECRET/shop"] });
    expect(await laptop.run("sync")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("in no team") });
    expect(await laptop.run("team", "join", team.url, "--code", code, "--history")).toMatchObject(isOk);
    expect(statSync(join(laptop.home, "team.json")).mode & 0o777).toBe(0o600);
    const again = aPerson();
    expect(await again.run("team", "join", team.url, "--code", code)).toMatchObject({ exitCode: 3 });

    const dry = await laptop.run("sync", "--dry-run");
    const rows = dry.stdout.split("\n").filter((line) => line.startsWith("{"));
    expect(dry.stdout).not.toMatch(/SECRET|session-|turn-|ckm_/);
    const sent = await laptop.run("sync", "--json");
    expect(JSON.parse(sent.stdout)).toMatchObject({
      team: { outcome: "done", sent: rows.length, inserted: rows.length, refused: {} },
      collector: null,
      isDone: true,
    });
    expect(JSON.parse((await laptop.run("sync", "--json")).stdout)).toMatchObject({ team: { inserted: 0 } });
    const { rows: stored } = await team.database.pool.query("select count(*)::int as stops from checkpoint.stops");
    expect(stored).toEqual([{ stops: 1200 }]);

    writeFileSync(
      join(admin.cwd, "rules.jsonc"),
      '{\n  // louder\n  "modes": { "tests": "advise" }, "timerSeconds": 77\n}\n',
    );
    expect(await admin.run("team", "rules", "rules.jsonc")).toMatchObject(isOk);
    expect((await laptop.run("sync")).stdout).toContain("The team's rules have changed");
    const shown = JSON.parse((await laptop.run("config", "show", "--json")).stdout) as { settings: { key: string }[] };
    expect(shown.settings.find(({ key }) => key === "timerSeconds")).toEqual({
      key: "timerSeconds",
      value: 77,
      source: join(laptop.home, "team-rules.json"),
    });
    writeFileSync(join(laptop.home, "config.json"), '{ "timerSeconds": 11 }');
    expect((await laptop.run("config", "show")).stdout).toContain("timerSeconds: 11");

    expect((await laptop.run("team", "status")).stdout).toContain("version 1");
    expect((await admin.run("team", "machines")).stdout).toContain("boss");
    expect((await laptop.run("team", "machines")).exitCode).toBe(3);
    expect((await admin.run("team", "open")).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?[\w-]{22}\n$/);

    const machine = (JSON.parse(readFileSync(join(laptop.home, "team.json"), "utf8")) as { machine: number }).machine;
    expect(await admin.run("team", "revoke", String(machine))).toMatchObject(isOk);
    expect(await laptop.run("sync")).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining("unknown or revoked"),
    });
    expect(await laptop.run("team", "leave")).toMatchObject(isOk);
    expect((await laptop.run("config", "show")).stdout).not.toContain("team-rules.json");
    expect((await laptop.run("sync")).exitCode).toBe(2);
  });

  test("rules with text are not set, and a server with another key than the invitation is not joined", async () => {
    const team = await startTeam("keys");
    const [admin, laptop] = [aPerson(), aPerson()];
    await admin.run("team", "join", team.url, "--code", team.adminCode ?? "");
    writeFileSync(join(admin.cwd, "bad.json"), '{ "actions": [{ "id": "x", "steps": ["curl evil"] }] }');
    expect(await admin.run("team", "rules", "bad.json")).toMatchObject({ exitCode: 2 });
    const [, code = ""] = /--code ([\w-]+)/.exec((await admin.run("team", "invite")).stdout) ?? [];
    const joined = await laptop.run("team", "join", team.url, "--code", `${code}.0123456789abcdef`);
    expect(joined).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("another key") });
    expect((await laptop.run("team", "status")).exitCode).toBe(2);
  });

  test("offline is normal: nothing is lost, and --flush ends in time", async () => {
    const team = await startTeam("offline");
    const laptop = aPerson();
    await laptop.run("team", "join", team.url, "--code", team.adminCode ?? "", "--history");
    await stageRecord(laptop.home, { stops: 40, now: new Date() });
    await postgres.stop();
    expect(await laptop.run("sync", "--flush", "--timeout", "10s")).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining("stays for later"),
    });
    await postgres.start();
    expect((await laptop.run("sync", "--flush")).exitCode).toBe(0);
    const { rows } = await team.database.pool.query("select count(*)::int as stops from checkpoint.stops");
    expect(rows).toEqual([{ stops: 40 }]);
  });

  test("straight to a database, without a service", async () => {
    const url = await postgres.database("direct");
    const owner = aPerson();
    const kept = await owner.run("team", "upkeep", "--database", url, "--team", "shop");
    const [, code = ""] = /--code (\S+)/.exec(kept.stdout) ?? [];
    expect(await owner.run("team", "join", url, "--code", code, "--history")).toMatchObject(isOk);
    await stageRecord(owner.home, { stops: 30, now: new Date() });
    expect(JSON.parse((await owner.run("sync", "--json")).stdout)).toMatchObject({ team: { outcome: "done" } });
    expect((await owner.run("team", "upkeep", "--database", url)).stdout).toMatch(/[1-9]\d* sums changed/);
    const invited = await owner.run("team", "invite", "--database", url);
    expect(invited.stdout).toMatch(/^[\w-]{22}\n$/);
  });
});

test("an agent joins no team and leaves none, and a repository cannot switch sync on", async () => {
  const agent = aPerson({ env: { CLAUDECODE: "1" } });
  for (const args of [["join", "https://team.example.com", "--code", "x"], ["leave"]])
    expect(await agent.run("team", ...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("only a person"),
    });
  const person = aPerson();
  writeFileSync(join(person.cwd, "team.json"), JSON.stringify({ url: "https://evil.example" }));
  writeFileSync(join(person.cwd, "checkpoint.config.json"), JSON.stringify({ team: { url: "https://evil.example" } }));
  expect(await person.run("sync")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("in no team") });
  expect((await person.run("config", "check")).stdout).toContain("team");
  expect((await person.run("team", "join", "http://evil.example", "--code", "x")).stderr).toContain("only https://");
});
