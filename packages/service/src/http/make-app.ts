import { createGunzip } from "node:zlib";
import { PAGE_POLICY } from "@agent-checkpoint/page";
import { BATCH, enrolRequest, hashOf, type Role, ROLES, signedRules } from "@agent-checkpoint/team";
import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import * as v from "valibot";
import {
  type Identity,
  identify,
  invite,
  listMachines,
  makeLink,
  openLink,
  pageRole,
  revoke,
  storeRules,
} from "../database/administer.ts";
import type { TeamDatabase } from "../database/connect.ts";
import { enrol, ingestLines, isRefusal, readRules, replaceToken } from "../database/machine-calls.ts";
import { readFigures, type TeamFilter } from "../read-figures.ts";
import { PERIODS, renderTeamPage } from "../render-team-page.ts";
import { makeMetrics } from "./metrics.ts";

/** One line of the log. */
export type LogLine = Readonly<Record<string, string | number | boolean | null>>;

export interface AppOptions {
  readonly database: TeamDatabase;
  readonly team: string;
  /** Whether browsers come by TLS, here or at a proxy. */
  readonly isSecure: boolean;
  readonly log: (line: LogLine) => void;
  readonly now: () => Date;
}

/** How many requests may wait for a connection; further ones are asked to come later. */
const MOST_WAITING = 64;
const COOKIE = "checkpoint-team";

/** The team's service as a function of requests; everything that lasts is in the database, so several may run. */
export function makeApp({ database, team, isSecure, log, now }: AppOptions): Hono {
  const app = new Hono();
  const metrics = makeMetrics();
  const { pool } = database;

  app.use(async (context, next) => {
    const begun = performance.now();
    await next();
    const route = context.req.routePath;
    const seconds = (performance.now() - begun) / 1000;
    metrics.request(route, context.res.status, seconds);
    log({
      event: "request",
      method: context.req.method,
      route,
      status: context.res.status,
      ms: Math.round(seconds * 1000),
    });
    for (const [name, value] of Object.entries(HEADERS))
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  });

  app.onError((error, context) => {
    if (error instanceof Refusal) return context.json({ error: error.message }, error.status);
    if (isRefusal(error)) return context.json({ error: error.message }, 401);
    log({ event: "fault", detail: error.message });
    return context.json({ error: "the database cannot be asked right now" }, 503, { "retry-after": "30" });
  });

  app.get("/healthz", (context) => context.json({ ok: true }));
  app.get("/readyz", async (context) => {
    await pool.query("select from checkpoint.migrations limit 1");
    return context.json({ ok: true });
  });
  app.get("/metrics", async (context) => {
    await allowed(context, "member");
    const gauges = { checkpoint_pool_connections: pool.totalCount, checkpoint_pool_waiting: pool.waitingCount };
    return context.text(metrics.render(gauges), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });

  // What machines ask for.
  app.post("/v1/enrol", async (context) => {
    const request = parse(enrolRequest, await readJson(context));
    const answer = await enrol(pool, request);
    log({ event: "enrolled", machine: answer.machine, role: answer.role });
    return context.json(answer);
  });
  app.post("/v1/batches", async (context) => {
    const tokenHash = hashOf(tokenOf(context));
    if (pool.waitingCount > MOST_WAITING) return context.json({ error: "busy" }, 503, { "retry-after": "30" });
    const text = await readBody(context, BATCH.bytes, BATCH.unpackedBytes);
    const lines = text.split("\n").filter((line) => line !== "");
    if (lines.length > BATCH.rows) throw new Refusal(413, `more than ${BATCH.rows} rows`);
    const answer = await ingestLines(pool, tokenHash, lines);
    metrics.rows(answer.received, answer.inserted, answer.refused.length);
    return context.json(answer);
  });
  app.get("/v1/rules", async (context) => context.json({ rules: await readRules(pool, hashOf(tokenOf(context))) }));
  app.post("/v1/token", async (context) => {
    const { tokenHash } = parse(
      v.object({ tokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
      await readJson(context),
    );
    await replaceToken(pool, hashOf(tokenOf(context)), tokenHash);
    return context.json({ ok: true });
  });

  // What members read.
  app.get("/v1/figures", async (context) => {
    const { role } = await allowed(context, "member");
    return context.json(await readFigures(database, role === "admin" ? "admin" : "member", filterOf(context), now()));
  });
  app.post("/v1/links", async (context) => {
    const me = await allowed(context, "member");
    return context.json({ path: `open?${await makeLink(database, me)}` });
  });

  // What admins do.
  app.post("/v1/invites", async (context) => {
    const me = await allowed(context, "admin");
    const wanted = parse(inviteRequest, await readJson(context));
    const code = await invite(database, wanted);
    log({ event: "invited", by: me.machine, role: wanted.role });
    return context.json({ code });
  });
  app.get("/v1/machines", async (context) => {
    await allowed(context, "admin");
    return context.json({ machines: await listMachines(database, 1000) });
  });
  app.post("/v1/machines/:id{[0-9]{1,9}}/revoke", async (context) => {
    const me = await allowed(context, "admin");
    const machine = Number(context.req.param("id"));
    if (!(await revoke(database, machine))) throw new Refusal(404, "no such machine, or revoked already");
    log({ event: "revoked", by: me.machine, machine });
    return context.json({ ok: true });
  });
  app.put("/v1/rules", async (context) => {
    const me = await allowed(context, "admin");
    const rules = parse(signedRules, await readJson(context));
    if (!(await storeRules(database, rules, me.machine)))
      throw new Refusal(409, `version ${rules.version} is there already`);
    log({ event: "rules", by: me.machine, version: rules.version });
    return context.json({ ok: true });
  });

  // The page. A link works once; what it gives is a cookie that can only read.
  app.get("/open", async (context) => {
    const key = await openLink(database, context.req.url.split("?")[1] ?? "");
    if (key === null) throw new Refusal(401, "the link was used or is too old; checkpoint team open gives a new one");
    const cookie = `${COOKIE}=${key}; HttpOnly; SameSite=Strict; Path=/${isSecure ? "; Secure" : ""}`;
    // A redirect would still belong to whoever sent the person here, and a strict cookie would not be sent.
    return context.html("<!doctype html><title>agent-checkpoint</title>\n", 200, {
      "set-cookie": cookie,
      refresh: "0; url=./",
    });
  });
  app.get("/", async (context) => {
    const role = await pageRole(database, getCookie(context, COOKIE) ?? "");
    if (role === null) throw new Refusal(401, "checkpoint team open gives a link to this page");
    const figures = await readFigures(database, role, filterOf(context), now());
    const policy = `${PAGE_POLICY}; frame-ancestors 'none'`;
    return context.html(renderTeamPage(figures, team), 200, { "content-security-policy": policy });
  });
  return app;

  async function allowed(context: Context, role: "member" | "admin"): Promise<Identity> {
    const me = await identify(database, tokenOf(context));
    const isAllowed = ROLES.indexOf(me.role) >= ROLES.indexOf(role);
    if (!isAllowed) throw new Refusal(403, `only a ${role} may do this`);
    return me;
  }
}

const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

interface InviteRequest {
  readonly role: Role;
  readonly isShared: boolean;
  readonly days: number;
}

const inviteRequest: v.GenericSchema<unknown, InviteRequest> = v.object({
  role: v.picklist(ROLES),
  isShared: v.boolean(),
  days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(30)),
});

/** A request that is refused, with the answer's status. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 409 | 413;

  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

function tokenOf(context: Context): string {
  const [, token] = /^Bearer (ckm_[\w-]{43})$/.exec(context.req.header("authorization") ?? "") ?? [];
  if (token === undefined) throw new Refusal(401, "a machine's token is expected");
  return token;
}

function parse<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown): Output {
  const parsed = v.safeParse(schema, value);
  if (!parsed.success)
    throw new Refusal(400, `${v.getDotPath(parsed.issues[0]) ?? "body"}: ${parsed.issues[0].message}`);
  return parsed.output;
}

async function readJson(context: Context): Promise<unknown> {
  try {
    return JSON.parse(await readBody(context, 64 * 1024, 64 * 1024));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "JSON is expected");
  }
}

/** The text of a body, unpacked if it is packed; one that is too large is refused before it is in memory. */
async function readBody(context: Context, maxBytes: number, maxUnpacked: number): Promise<string> {
  const isPacked = context.req.header("content-encoding") === "gzip";
  const chunks: Buffer[] = [];
  const unpack = isPacked ? createGunzip() : null;
  let [read, unpacked] = [0, 0];
  const take = (chunk: Uint8Array): void => {
    unpacked += chunk.length;
    if (unpacked > maxUnpacked) throw new Refusal(413, "the batch is too large");
    chunks.push(Buffer.from(chunk));
  };
  const body = context.req.raw.body;
  if (body === null) return "";
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      read += chunk.length;
      if (read > maxBytes) throw new Refusal(413, "the batch is too large");
      yield chunk;
    }
  };
  if (unpack === null) {
    for await (const chunk of counted()) take(chunk);
  } else {
    const { Readable } = await import("node:stream");
    const packed = Readable.from(counted());
    packed.on("error", (error) => unpack.destroy(error));
    try {
      for await (const chunk of packed.pipe(unpack) as AsyncIterable<Buffer>) take(chunk);
    } catch (error) {
      packed.destroy();
      if (error instanceof Refusal) throw error;
      throw new Refusal(400, "the body is not packed as it says");
    }
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What an address asks for; what nobody knows is as usual. */
function filterOf(context: Context): TeamFilter {
  const days = PERIODS.find((one) => String(one) === context.req.query("days")) ?? 30;
  return { days, repository: context.req.query("repository") || null };
}
