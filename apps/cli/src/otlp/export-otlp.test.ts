import { statSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore, type Outcome, type Stop } from "@agent-checkpoint/store";
import { execa } from "execa";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));
const AT = new Date("2026-03-02T09:00:00.123Z");
const NOW = new Date("2026-03-02T10:00:00Z");

const aStop = (changes: Partial<Stop> = {}): Stop => ({
  agent: "claude",
  sessionId: "secret-session",
  projectPath: "/home/me/secret-folder/retry",
  repository: "/home/me/secret-folder/retry",
  turn: "0e0c8d2e-6f57-4b8e-9d8e-0b9d5f9a7c11",
  at: AT,
  decision: "block",
  reason: "missing-actions",
  actions: ["tests"],
  observations: [{ check: "verification-gap", text: "`src/secret.ts` was changed.", isFailure: false }],
  durationMs: 38,
  messageLength: 412,
  trail: {
    transcriptPath: "/home/me/.claude/secret.jsonl",
    turnStart: 0,
    readUpTo: 1,
    promptAt: AT,
    changedFiles: ["src/secret.ts"],
    changedFileCount: 1,
    workingSlug: "secret-slug",
  },
  ...changes,
});

/** A stop of which nothing is left to become known. */
const aPass = (changes: Partial<Stop> = {}) =>
  aStop({ decision: "pass", reason: "all-clear", actions: [], ...changes });

const anOutcome = (changes: Partial<Outcome> = {}): Outcome => ({
  stopId: 1,
  rule: "tests",
  kind: "action",
  mode: "require",
  agent: "claude",
  repository: "/home/me/secret-folder/retry",
  at: AT,
  outcome: "waived",
  why: null,
  note: "the secret words of a person",
  seconds: 84,
  tokens: 4104,
  judgedAt: NOW,
  ...changes,
});

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (count: number, path: string) => { readonly status: number; readonly body?: string };

/** A collector on loopback that keeps what it gets and answers as it is told. */
async function stageCollector(answer: Answer = () => ({ status: 200, body: "{}" })) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body });
      const { status, body: text = "" } = answer(received.length, path);
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A home with stops and outcomes, and the command in it. */
async function stageHome(stops: readonly Stop[], outcomes: readonly Outcome[] = []) {
  const folder = scratchFolder();
  const home = join(folder, "home");
  const add = async (newStops: readonly Stop[], newOutcomes: readonly Outcome[]) => {
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    for (const stop of newStops) await opened.store.stops.record(stop);
    await opened.store.outcomes.record(newOutcomes);
    await opened.store.close();
  };
  await add(stops, outcomes);
  const given = { cwd: folder, userHome: folder, home, now: () => NOW };
  const run = (...args: string[]) => runCheckpoint(["export", "otlp", ...args], given);
  return { folder, home, add, run, given };
}

const attributesIn = (record: { attributes: { key: string; value: unknown }[] }) =>
  Object.fromEntries(record.attributes.map(({ key, value }) => [key.replace("agent_checkpoint.", ""), value]));

interface Logs {
  resourceLogs: {
    resource: { attributes: { key: string; value: unknown }[] };
    scopeLogs: { logRecords: (Record<string, unknown> & { attributes: { key: string; value: unknown }[] })[] }[];
  }[];
}

describe("what a collector gets", () => {
  test("logs: hexadecimal ids, 64-bit numbers as strings, and nothing that is a text of somebody's", async () => {
    const { received, endpoint } = await stageCollector();
    const { run } = await stageHome([aStop(), aPass({ turn: "ab12@17" })], [anOutcome()]);
    expect(await run("--endpoint", endpoint)).toMatchObject({ exitCode: 0, stderr: "" });
    const logs = received.find(({ path }) => path === "/v1/logs");
    expect(logs?.headers["content-type"]).toBe("application/json");
    const { resourceLogs } = JSON.parse(logs?.body ?? "") as Logs;
    expect(resourceLogs[0]?.resource.attributes[0]).toEqual({
      key: "service.name",
      value: { stringValue: "agent-checkpoint" },
    });
    const [block, pass, outcome] = resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
    expect(block).toMatchObject({
      timeUnixNano: "1772442000123000000",
      observedTimeUnixNano: "1772445600000000000",
      severityNumber: 9,
      eventName: "agent_checkpoint.stop",
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(block === undefined ? null : attributesIn(block)).toEqual({
      "event.name": { stringValue: "agent_checkpoint.stop" },
      id: { stringValue: expect.stringMatching(/^[0-9a-f]{32}$/) },
      agent: { stringValue: "claude" },
      decision: { stringValue: "block" },
      reason: { stringValue: "missing-actions" },
      route: { stringValue: "hook" },
      repository: { stringValue: expect.stringMatching(/^[0-9a-f]{16}$/) },
      actions: { arrayValue: { values: [{ stringValue: "tests" }] } },
      checks: { arrayValue: { values: [{ stringValue: "verification-gap" }] } },
      duration_ms: { intValue: "38" },
      message_length: { intValue: "412" },
      changed_files: { intValue: "1" },
      "prompt.id": { stringValue: "0e0c8d2e-6f57-4b8e-9d8e-0b9d5f9a7c11" },
    });
    // A name that we made ourselves holds a digest of the prompt's text.
    expect(pass === undefined ? null : attributesIn(pass)).not.toHaveProperty(["prompt.id"]);
    expect(outcome?.["traceId"]).toBe(block?.["traceId"]);
    expect(outcome === undefined ? null : attributesIn(outcome)).toMatchObject({
      rule: { stringValue: "tests" },
      outcome: { stringValue: "waived" },
      seconds: { intValue: "84" },
      tokens: { intValue: "4104" },
    });
    for (const { body } of received) expect(body).not.toMatch(/secret|retry|src\//);
  });

  test("metrics: delta sums and a histogram whose buckets add up", async () => {
    const { received, endpoint } = await stageCollector();
    const stops = [5, 38, 9000].map((durationMs, index) =>
      aPass({ durationMs, at: new Date(AT.getTime() + index * 1000) }),
    );
    const { run } = await stageHome(stops, [anOutcome(), anOutcome({ stopId: 2, outcome: "done" })]);
    await run("--endpoint", `${endpoint}/`, "--names");
    const metrics = received.find(({ path }) => path === "/v1/metrics");
    const parsed = JSON.parse(metrics?.body ?? "") as { resourceMetrics: { scopeMetrics: { metrics: object[] }[] }[] };
    expect(parsed.resourceMetrics[0]?.scopeMetrics[0]?.metrics).toMatchObject([
      {
        name: "agent_checkpoint.stops",
        sum: {
          aggregationTemporality: 1,
          isMonotonic: true,
          dataPoints: [
            {
              asInt: "3",
              startTimeUnixNano: "1772442000122000000",
              timeUnixNano: "1772442002123000000",
              attributes: expect.arrayContaining([
                { key: "agent_checkpoint.repository", value: { stringValue: "retry" } },
              ]),
            },
          ],
        },
      },
      { name: "agent_checkpoint.outcomes", sum: { dataPoints: [{ asInt: "1" }, { asInt: "1" }] } },
      {
        name: "agent_checkpoint.stop.duration",
        unit: "ms",
        histogram: {
          aggregationTemporality: 1,
          dataPoints: [
            {
              count: "3",
              sum: 9043,
              explicitBounds: [10, 25, 50, 100, 250, 500, 1000, 2500, 5000],
              bucketCounts: ["1", "0", "1", "0", "0", "0", "0", "0", "0", "1"],
            },
          ],
        },
      },
    ]);
  });

  test("headers, those of the environment too", async () => {
    const { received, endpoint } = await stageCollector();
    const { given } = await stageHome([aStop()]);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue%20ones,b=2" };
    expect((await runCheckpoint(["export", "otlp"], { ...given, env })).exitCode).toBe(0);
    expect(received[0]?.headers).toMatchObject({ "x-team": "blue ones", b: "2" });
  });
});

describe("what was taken", () => {
  test("is not sent again, and what comes later is", async () => {
    const { received, endpoint } = await stageCollector();
    const { run, add } = await stageHome([aPass()]);
    await run("--endpoint", endpoint);
    expect(received).toHaveLength(2);
    expect(JSON.parse((await run("--endpoint", endpoint, "--json")).stdout)).toMatchObject({
      signals: [
        { signal: "logs", rows: 0, requests: 0, problem: null },
        { signal: "metrics", rows: 0 },
      ],
    });
    await add([aPass({ reason: "later" })], [anOutcome()]);
    await run("--endpoint", endpoint);
    expect(received).toHaveLength(4);
    expect(received[2]?.body).toContain("later");
    expect(received[2]?.body).not.toContain("all-clear");
  });

  test("is counted for each collector by itself", async () => {
    const [one, other] = [await stageCollector(), await stageCollector()];
    const { run } = await stageHome([aPass()]);
    await run("--endpoint", one.endpoint);
    await run("--endpoint", other.endpoint);
    expect(other.received.map(({ body }) => body)).toEqual(one.received.map(({ body }) => body));
  });

  test("is sent in batches, each row once, also if one is refused in between", async () => {
    let isBroken = true;
    const { received, endpoint } = await stageCollector((_, path) => ({
      status: isBroken && path === "/v1/logs" && received.filter((one) => one.path === path).length === 2 ? 503 : 200,
    }));
    const stops = Array.from({ length: 1100 }, (_, index) => aPass({ reason: `number-${index}-` }));
    const { run } = await stageHome(stops);
    const first = await run("--endpoint", endpoint);
    expect(first).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("the collector answered 503") });
    isBroken = false;
    expect((await run("--endpoint", endpoint)).exitCode).toBe(0);
    const taken = received.filter(({ path }, index) => path === "/v1/logs" && index !== 1).map(({ body }) => body);
    const numbers = taken.join("").match(/number-\d+-/g) ?? [];
    expect([taken.length, numbers.length, new Set(numbers).size]).toEqual([3, 1100, 1100]);
  });

  test("and rejected is told, and not sent again", async () => {
    const { received, endpoint } = await stageCollector((_, path) => ({
      status: 200,
      body: path === "/v1/logs" ? `{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too old"}}` : "",
    }));
    const { run } = await stageHome([aPass()]);
    expect((await run("--endpoint", endpoint)).stdout).toContain(
      "logs: 1 row in 1 request, 1 rejected by the collector",
    );
    await run("--endpoint", endpoint);
    expect(received).toHaveLength(2);
  });
});

describe("what was not taken", () => {
  const faults: readonly { fault: string; status: number; says: string }[] = [
    { fault: "a refusal", status: 401, says: "the collector answered 401" },
    { fault: "too many", status: 429, says: "the collector answered 429" },
    { fault: "an empty answer", status: 204, says: "the collector answered 204" },
    { fault: "a redirection", status: 302, says: "the collector did not answer" },
  ];
  test.for(faults)("because of $fault is sent the next time", async ({ status, says }) => {
    let answered = status;
    const { received, endpoint } = await stageCollector(() => ({ status: answered }));
    const { run } = await stageHome([aPass()]);
    expect(await run("--endpoint", endpoint)).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(says) });
    expect(received.some(({ path }) => path === "/elsewhere")).toBe(false);
    answered = 200;
    expect((await run("--endpoint", endpoint)).stdout).toContain("logs: 1 row in 1 request");
  });

  test("because nobody listens is sent the next time", async () => {
    const { run } = await stageHome([aPass()]);
    const ended = await run("--endpoint", "http://127.0.0.1:9");
    expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("the collector did not answer") });
  });
});

test("--dry-run prints the very bytes, sends nothing and records nothing", async () => {
  const { received, endpoint } = await stageCollector();
  const { run } = await stageHome([aStop()], [anOutcome()]);
  const { stdout, stderr } = await run("--endpoint", endpoint, "--dry-run");
  expect([received.length, stderr]).toEqual([0, "Nothing was sent.\n"]);
  await run("--endpoint", endpoint);
  expect(stdout).toBe(
    received.map(({ path, body }) => `POST ${endpoint}${path}\ncontent-type: application/json\n\n${body}\n`).join(""),
  );
});

describe("a collector that is kept", () => {
  test("gets each row once from `sync`, also from the one beside a stop, which the dry run shows byte by byte", async () => {
    const { received, endpoint } = await stageCollector();
    const { home, run, add, given } = await stageHome([aPass()]);
    const sync = (...args: readonly string[]) => runCheckpoint(["sync", ...args], given);
    expect((await sync()).exitCode).toBe(2);
    expect((await run("--endpoint", endpoint, "--keep", "--header", "x-key=word")).exitCode).toBe(0);
    expect(statSync(join(home, "otlp.json")).mode & 0o777).toBe(0o600);
    expect(received).toHaveLength(2);
    await add([aPass({ reason: "second" })], []);
    const dry = await sync("--dry-run");
    expect(await sync()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("logs: 1 row in 1 request") });
    const sent = received
      .slice(2)
      .map(({ path, body }) => `POST ${endpoint}${path}\ncontent-type: application/json\n\n${body}\n`);
    expect([sent.length, dry.stdout]).toEqual([2, sent.join("")]);
    expect(received[2]?.headers["x-key"]).toBe("word");
    await add([aPass({ reason: "third" })], []);
    await Promise.all([sync("--background"), sync("--background"), sync("--flush")]);
    const logs = received.filter(({ path }) => path === "/v1/logs").map(({ body }) => body);
    expect(logs.join("").match(/all-clear|second|third/g)).toEqual(["all-clear", "second", "third"]);
    expect((await sync("--dry-run")).stdout).toBe(`Nothing would be sent to ${endpoint}/.\n`);

    expect((await run("--forget")).exitCode).toBe(0);
    expect((await sync()).exitCode).toBe(2);
  });

  test("that is away gets everything later, and the sync says so", async () => {
    let status = 503;
    const { received, endpoint } = await stageCollector(() => ({ status, body: "{}" }));
    const { run, given } = await stageHome([aPass()]);
    const sync = () => runCheckpoint(["sync"], given);
    await run("--endpoint", endpoint, "--keep");
    expect(await sync()).toMatchObject({ exitCode: 3, stdout: expect.stringContaining("stays for later") });
    status = 200;
    expect((await sync()).exitCode).toBe(0);
    expect(received.findLast(({ path }) => path === "/v1/logs")?.body).toContain("all-clear");
  });

  test("gets what is new once a minute from `sync --watch`, until that is ended", async () => {
    const { received, endpoint } = await stageCollector();
    const { run, add, given } = await stageHome([aPass()]);
    await run("--endpoint", endpoint, "--keep");
    await add([aPass({ reason: "second" })], []);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const watching = runCheckpoint(["sync", "--watch"], { ...given, ended: () => ended });
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    const times = (word: string) =>
      received.filter(({ path, body }) => path === "/v1/logs" && body.includes(word)).length;
    while (received.length < 4) await pause();
    await add([aPass({ reason: "third" })], []);
    for (let count = 0; count < 200; count += 1) await pause();
    expect([times("second"), times("third")]).toEqual([1, 0]);
    for (; times("third") === 0; await pause()) await vi.advanceTimersByTimeAsync(60_000);
    end();
    expect(await watching).toMatchObject({ exitCode: 0, stderr: "" });
    expect([times("all-clear"), times("second"), times("third")]).toEqual([1, 1, 1]);
  });

  test("is named by a person, not by an agent", async () => {
    const { given } = await stageHome([]);
    const args = ["export", "otlp", "--endpoint", "http://127.0.0.1:9", "--keep"];
    const asked = await runCheckpoint(args, { ...given, env: { CLAUDECODE: "1" } });
    expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("only a person") });
  });
});

test("the built program sends it", async () => {
  const { received, endpoint } = await stageCollector();
  const { folder, home } = await stageHome([aPass()]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, CHECKPOINT_HOME: home };
  const args = [PROGRAM, "export", "otlp", "--endpoint", endpoint];
  const { stdout } = await execa(process.execPath, args, { cwd: folder, env, extendEnv: false });
  expect(stdout).toBe("logs: 1 row in 1 request\nmetrics: 1 row in 1 request");
  expect(received.map(({ path }) => path)).toEqual(["/v1/logs", "/v1/metrics"]);
});

const refusals = [
  [],
  ["--endpoint", "collector:4318"],
  ["--endpoint", "ftp://127.0.0.1"],
  ["--endpoint", "http://collector.example.com:4318"],
  ["--endpoint", "https://me:word@collector.example.com"],
  ["--endpoint", "https://collector.example.com?key=1"],
  ["--endpoint", "http://127.0.0.1:9", "--timeout", "soon"],
  ["--endpoint", "http://127.0.0.1:9", "--header", "no value"],
];
test.for(refusals.map((args) => ({ args })))("$args is refused", async ({ args }) => {
  const { run } = await stageHome([]);
  expect((await run(...args)).exitCode).toBe(2);
});
