import { gzipSync } from "node:zlib";
import { makeKeys, makeToken, signRules } from "@agent-checkpoint/team";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { problemOfListening, type ServedTeam, serveTeam } from "../serve-team.ts";
import { fold } from "../database/connect.ts";
import { isPostgresMissing, type Postgres, startPostgres } from "../testing/start-postgres.ts";
import { aMachine, aRow, type TestMachine } from "../testing/team-stage.ts";
import type { LogLine } from "./make-app.ts";

const isMissing = isPostgresMissing();
let postgres: Postgres;
let served: ServedTeam;
const machines: Record<"machine" | "member" | "admin", TestMachine> = {} as never;
const log: LogLine[] = [];

const serve = async (name: string) =>
  serveTeam({
    databaseUrl: await postgres.database(name),
    team: "shop",
    host: "127.0.0.1",
    port: 0,
    tls: null,
    isBehindProxy: false,
    keepMonths: 13,
    log: (line) => void log.push(line),
  });

beforeAll(async () => {
  if (isMissing) return;
  postgres = await startPostgres();
  served = await serve("team");
  for (const role of ["machine", "member", "admin"] as const) machines[role] = await aMachine(served.database, role);
}, 60_000);
afterAll(async () => {
  if (isMissing) return;
  await served.close();
  await postgres.remove();
}, 60_000);

interface Asking {
  readonly token?: string | null;
  readonly method?: string;
  readonly body?: string | Buffer | object;
  readonly headers?: Record<string, string>;
}

async function ask(path: string, { token = null, method = "GET", body, headers = {} }: Asking = {}) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && {
      body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const packed = (body: string, token: string) =>
  ask("/v1/batches", { method: "POST", token, body: gzipSync(body), headers: { "content-encoding": "gzip" } });

describe.skipIf(isMissing)("who may what", () => {
  const doors = [
    { door: "POST /v1/batches", least: "machine" },
    { door: "GET /v1/rules", least: "machine" },
    { door: "GET /v1/figures", least: "member" },
    { door: "POST /v1/links", least: "member" },
    { door: "GET /metrics", least: "member" },
    { door: "GET /v1/machines", least: "admin" },
    { door: "POST /v1/invites", least: "admin" },
    { door: "POST /v1/machines/999999/revoke", least: "admin" },
    { door: "PUT /v1/rules", least: "admin" },
  ] as const;
  test.for(doors)("$door: $least", async ({ door, least }) => {
    const [method = "", path = ""] = door.split(" ");
    const roles = ["machine", "member", "admin"] as const;
    const body = method === "GET" ? {} : { body: "{}" };
    for (const role of roles) {
      const { status } = await ask(path, { method, token: machines[role].token, ...body });
      // 400, 404: the door is open, and the request is empty.
      expect(roles.indexOf(role) < roles.indexOf(least) ? [403] : [200, 400, 404]).toContain(status);
    }
    for (const token of [null, makeToken(), "nonsense", machines.admin.hash])
      expect((await ask(path, { method, token, ...body })).status).toBe(401);
  });

  test("a stranger has no page, and a link gives one browser a page that can only be read", async () => {
    expect((await ask("/")).status).toBe(401);
    const { text } = await ask("/v1/links", { method: "POST", token: machines.member.token });
    const { path } = JSON.parse(text) as { path: string };
    const opened = await ask(`/${path}`);
    const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
    expect(opened.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await ask(`/${path}`)).status).toBe(401);
    const page = await ask("/", { headers: { cookie } });
    expect([page.status, page.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(page.text).not.toContain("<h2>Machines</h2>");
    expect((await ask("/v1/machines", { headers: { cookie } })).status).toBe(401);
    expect((await ask("/", { headers: { cookie: "checkpoint-team=nonsense" } })).status).toBe(401);
  });
});

describe.skipIf(isMissing)("batches", () => {
  test("rows are stored once, and the page shows them, whatever a repository is called", async () => {
    const body = [aRow(1, { repository: "<img src=x>", decision: "block" }), aRow(2)]
      .map((row) => JSON.stringify(row))
      .join("\n");
    expect(JSON.parse((await packed(body, machines.machine.token)).text)).toMatchObject({ received: 2, inserted: 2 });
    expect(JSON.parse((await packed(body, machines.machine.token)).text)).toMatchObject({ received: 2, inserted: 0 });
    await fold(served.database);
    const figures = JSON.parse((await ask("/v1/figures", { token: machines.member.token })).text);
    expect(figures).toMatchObject({ period: { stops: 2, blocked: 1 }, machines: null });
    const { text } = await ask("/v1/links", { method: "POST", token: machines.admin.token });
    const opened = await ask(`/${(JSON.parse(text) as { path: string }).path}`);
    const page = await ask("/?days=7", { headers: { cookie: opened.headers.get("set-cookie")?.split(";")[0] ?? "" } });
    expect(page.text).toContain("&lt;img src=x&gt;");
    expect(page.text).not.toContain("<img");
    expect(page.text).toContain("<h2>Machines</h2>");
    const metrics = await ask("/metrics", { token: machines.member.token });
    expect(metrics.text).toContain("# TYPE checkpoint_rows_inserted_total counter\ncheckpoint_rows_inserted_total 2\n");
    expect(metrics.text).toMatch(/^checkpoint_requests_total\{route="\/v1\/batches",status="200"\} \d+$/m);
  });

  const large = [
    { what: "too many rows", body: () => Buffer.from("{}\n".repeat(501)), status: 413 },
    { what: "too many bytes", body: () => Buffer.alloc(1_048_577, 32), status: 413 },
    { what: "a bomb", body: () => gzipSync(Buffer.alloc(50_000_000, 32)), status: 413, gzip: true },
    { what: "what is not packed as it says", body: () => Buffer.from("{}"), status: 400, gzip: true },
    { what: "nothing", body: () => Buffer.from(""), status: 200 },
  ];
  test.for(large)("$what: $status", async ({ body, status, gzip = false }) => {
    const headers: Record<string, string> = gzip ? { "content-encoding": "gzip" } : {};
    const answer = await ask("/v1/batches", { method: "POST", token: machines.machine.token, body: body(), headers });
    expect(answer.status).toBe(status);
  });

  test("the log has a line for each request, and no token", async () => {
    await ask("/v1/rules", { token: machines.machine.token });
    expect(log).toContainEqual({
      event: "request",
      method: "GET",
      route: "/v1/rules",
      status: 200,
      ms: expect.any(Number),
    });
    expect(JSON.stringify(log)).not.toMatch(/ckm_/);
  });
});

test.skipIf(isMissing)("rules are kept as they were signed, and no version is replaced", async () => {
  const { privateKey } = makeKeys();
  const put = (version: number, timerSeconds: number) =>
    ask("/v1/rules", {
      method: "PUT",
      token: machines.admin.token,
      body: signRules({ team: "shop", version, rules: { timerSeconds } }, privateKey),
    });
  expect([(await put(1, 5)).status, (await put(1, 6)).status, (await put(2, 7)).status]).toEqual([200, 409, 200]);
  const { text } = await ask("/v1/rules", { token: machines.machine.token });
  expect(JSON.parse(text)).toMatchObject({ rules: { version: 2, text: expect.stringContaining('"timerSeconds":7') } });
});

test.skipIf(isMissing)("a database that goes away is said, and when it is back everything goes on", async () => {
  const own = await serve("away");
  onTestFinished(() => own.close());
  const { token } = await aMachine(own.database);
  const send = () =>
    fetch(`${own.url}/v1/batches`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(aRow(1)),
    });
  const statusOf = async (path: string) => (await fetch(`${own.url}${path}`)).status;
  expect(await statusOf("/readyz")).toBe(200);
  await postgres.stop();
  expect([await statusOf("/healthz"), await statusOf("/readyz"), (await send()).status]).toEqual([200, 503, 503]);
  await postgres.start();
  expect([await statusOf("/readyz"), (await send()).status]).toEqual([200, 200]);
});

const places = [
  { host: "127.0.0.1", tls: null, isBehindProxy: false, isAllowed: true },
  { host: "0.0.0.0", tls: null, isBehindProxy: false, isAllowed: false },
  { host: "0.0.0.0", tls: null, isBehindProxy: true, isAllowed: true },
  { host: "team.example.com", tls: { cert: "c", key: "k" }, isBehindProxy: false, isAllowed: true },
];
test.for(places)(
  "listening at $host, behind a proxy: $isBehindProxy, is allowed: $isAllowed",
  ({ isAllowed, ...place }) => {
    expect(problemOfListening(place) === null).toBe(isAllowed);
  },
);
