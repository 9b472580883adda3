import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { serve, type Served } from "./serve.ts";

const PAGE = "<!doctype html><title>secret</title>";
const pageAt = async (path: string, query: URLSearchParams) =>
  path === "/fault"
    ? Promise.reject(new Error("locked"))
    : path === "/"
      ? {
          text: `${PAGE}${query.get("days") ?? ""}`,
          policy: "default-src 'none'; form-action 'self'",
          refreshSeconds: 60,
        }
      : null;

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

const ask = (url: string, { headers = {}, method = "GET" }: Asked = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port, pathname, search } = new URL(url);
    const sent = request({ host: "127.0.0.1", port, path: pathname + search, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on("error", reject);
    sent.end();
  });

let served: Served;
let opened: Answer;
let cookie: string;
let page: string;

beforeAll(async () => {
  served = await serve({ pageAt, idleMs: 60_000 });
  opened = await ask(served.link);
  cookie = String(opened.headers["set-cookie"]).split(";")[0] ?? "";
  page = `${new URL(served.link).origin}${String(opened.headers["refresh"]).replace("0; url=", "")}`;
});
afterAll(() => served.close());

test("the link gives a strict cookie that no script and no other server sees, and leaves the address", () => {
  const folder = new URL(page).pathname.slice(0, -1);
  expect(opened.status).toBe(200);
  expect(String(opened.headers["set-cookie"])).toMatch(
    new RegExp(`^checkpoint=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=${folder}$`),
  );
  expect(page).not.toContain(new URL(served.link).search.slice(1));
  expect(opened.text).not.toContain("secret");
});

test("with the cookie there is the page, which nobody keeps, frames or takes for something else", async () => {
  const { status, text, headers } = await ask(`${page}?days=7`, { headers: { cookie } });
  expect({ status, text }).toEqual({ status: 200, text: `${PAGE}7` });
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; form-action 'self'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    refresh: "60",
  });
});

describe("another user or program of this machine", () => {
  test("finds nothing without the cookie, by whatever path", async () => {
    const paths = ["/", "/open", "/open?", "/stops/1", "/favicon.ico", "//", "/%2e%2e/", new URL(page).pathname];
    for (const path of paths) {
      const { status, text, headers } = await ask(`${new URL(page).origin}${path}`);
      expect([path, status]).toEqual([path, 401]);
      expect(text + JSON.stringify(headers)).not.toContain("secret");
    }
  });
  test("gets nothing by a link that was used, a wrong one, a longer or a shorter one", async () => {
    for (const link of [served.link, `${served.link}x`, served.link.slice(0, -1), served.link.replace("?", "?token=")])
      expect((await ask(link)).status).toBe(401);
  });
  test("gets nothing by a wrong cookie", async () => {
    for (const wrong of ["checkpoint=", `${cookie}x`, cookie.slice(0, -1), `other${cookie}`])
      expect((await ask(page, { headers: { cookie: wrong } })).status).toBe(401);
  });
  test("cannot connect from another machine: only loopback is bound", async () => {
    const { networkInterfaces } = await import("node:os");
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const other = others.find(({ family, internal }) => family === "IPv4" && !internal);
    // 127.0.0.2 is loopback too, and not the bound address.
    const host = other?.address ?? "127.0.0.2";
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host, port: Number(new URL(page).port) }, () => resolve("connected"));
      socket.on("error", () => resolve("refused"));
      socket.on("connect", () => socket.destroy());
    });
    expect(outcome).toBe("refused");
  });
});

describe("another site", () => {
  test("cannot rebind its name: the host is looked at before anything else, with the right cookie too", async () => {
    const { port } = new URL(page);
    for (const host of [
      `evil.example:${port}`,
      "127.0.0.1",
      "localhost",
      `127.0.0.1.evil.example:${port}`,
      `[::1]:${port}`,
    ])
      expect((await ask(page, { headers: { host, cookie } })).status).toBe(421);
    expect((await ask(page, { headers: { host: `localhost:${port}`, cookie } })).status).toBe(200);
  });
  const refusedOf: readonly { title: string; headers: Record<string, string> }[] = [
    { title: "an origin", headers: { origin: "http://evil.example" } },
    { title: "no origin it would name", headers: { origin: "null" } },
    { title: "our address by another scheme", headers: { origin: "https://127.0.0.1" } },
    { title: "a fetch", headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" } },
    { title: "a fetch of another port", headers: { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" } },
    {
      title: "a frame",
      headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    },
  ];
  test.for(refusedOf)("cannot have it read by $title", async ({ headers }) => {
    expect((await ask(page, { headers: { cookie, ...headers } })).status).toBe(403);
  });
  test("may send a person here", async () => {
    const headers = {
      cookie,
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect((await ask(page, { headers })).status).toBe(200);
  });
  test("can change nothing: there is only reading", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expect((await ask(page, { method, headers: { cookie } })).status).toBe(405);
    const head = await ask(page, { method: "HEAD", headers: { cookie } });
    expect([head.status, head.text]).toEqual([200, ""]);
  });
});

test("a page that is not there, and a fault, say so", async () => {
  expect((await ask(`${page}none`, { headers: { cookie } })).status).toBe(404);
  expect(await ask(`${page}fault`, { headers: { cookie } })).toMatchObject({
    status: 503,
    text: "The record cannot be read: locked\n",
  });
});

describe("a forgotten server", () => {
  test("ends if nobody has asked for long", async () => {
    const forgotten = await serve({ pageAt, idleMs: 50 });
    await forgotten.idle;
    await expect(ask(forgotten.link)).rejects.toThrow("ECONNREFUSED");
  });
  test("is not kept by a page that refreshes itself, but by a person", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);
    const kept = await serve({ pageAt, idleMs: 30 * 60_000 });
    const answer = await ask(kept.link);
    const headers = {
      cookie: String(answer.headers["set-cookie"]).split(";")[0] ?? "",
      "sec-fetch-site": "same-origin",
    };
    const url = `${new URL(kept.link).origin}${String(answer.headers["refresh"]).replace("0; url=", "")}`;
    await minutes(20);
    expect((await ask(url, { headers: { ...headers, "sec-fetch-user": "?1" } })).status).toBe(200);
    await minutes(20);
    expect((await ask(url, { headers })).status).toBe(200);
    await minutes(11);
    await kept.idle;
    await expect(ask(url, { headers })).rejects.toThrow("ECONNREFUSED");
  });
});
