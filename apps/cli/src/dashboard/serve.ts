import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorMessage } from "@agent-checkpoint/files";

/** A page, with the policy that its style needs. */
export interface Page {
  readonly text: string;
  readonly policy: string;
  /** After so many seconds the browser asks for it again; never if it is null. */
  readonly refreshSeconds: number | null;
}

export interface ServeOptions {
  /** The page at a path; null if there is none. */
  readonly pageAt: (path: string, query: URLSearchParams) => Promise<Page | null>;
  /** The server ends if nobody has asked for a page for so long. */
  readonly idleMs: number;
}

export interface Served {
  /** The link that opens the page. It works once. */
  readonly link: string;
  /** Fulfilled when the server has ended by itself. */
  readonly idle: Promise<void>;
  readonly close: () => void;
}

/**
 * Serves pages to one browser of this machine's user, read-only.
 *
 * Everything on this machine can connect, and every site that the browser shows can have it send requests. So the
 * address must be ours (a name that somebody's DNS has bound to it is not), a site may send a person here and nothing
 * else, and only who had the link once has the cookie. The pages lie below a random path: browsers send a cookie to
 * all ports of a host, and this one is sent to no other server.
 */
export async function serve({ pageAt, idleMs }: ServeOptions): Promise<Served> {
  const [link, key, folder] = [secret(), secret(), `/${randomBytes(9).toString("hex")}`];
  let isLinkUsed = false;
  let end = (): void => {};
  const idle = new Promise<void>((resolve) => (end = resolve));
  const limits = { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 8192 };
  const server = createServer(limits, (request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const timer = setTimeout(() => (close(), end()), idleMs);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url = "/" } = request;
    const say = (status: number, text: string, more: OutgoingHttpHeaders = {}): void => {
      response.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8", ...more });
      response.end(method === "HEAD" ? undefined : text);
    };
    if (!hosts.includes(headers.host ?? "")) return say(421, "Unknown host.\n");
    if (method !== "GET" && method !== "HEAD") return say(405, "Read only.\n", { allow: "GET, HEAD" });
    if (isForeign(request, hosts)) return say(403, "Not for another site.\n");
    const at = URL.parse(url, "http://127.0.0.1");
    const isKnown = isSame(cookieOf(request), key);
    const isLink = at?.pathname === "/open" && isSame(at.search.slice(1), link) && !isLinkUsed;
    if (isLink || (isKnown && at?.pathname === "/open")) {
      if (method === "GET") isLinkUsed = true;
      // A redirect would still belong to whoever sent the person here, and a strict cookie would not be sent.
      const go = { refresh: `0; url=${folder}/`, "content-type": "text/html; charset=utf-8" };
      const cookie = `${COOKIE}=${key}; HttpOnly; SameSite=Strict; Path=${folder}`;
      return say(200, "<!doctype html><title>agent-checkpoint</title>\n", { ...go, "set-cookie": cookie });
    }
    if (at === null || !isKnown) return say(401, "The link that checkpoint dashboard has printed opens this, once.\n");
    if (isByPerson(request)) timer.refresh();
    try {
      const page = await pageAt(at.pathname.slice(folder.length), at.searchParams);
      if (page === null) return say(404, "There is no such page.\n");
      const { text, policy, refreshSeconds } = page;
      const refresh = refreshSeconds === null ? {} : { refresh: String(refreshSeconds) };
      const types = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
      return say(200, text, { ...types, ...refresh });
    } catch (error) {
      return say(503, `The record cannot be read: ${errorMessage(error)}\n`);
    }
  }

  function close(): void {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
  return { link: `http://127.0.0.1:${port}/open?${link}`, idle, close };
}

const COOKIE = "checkpoint";

/** A page that says more has a policy of its own. */
const HEADERS: OutgoingHttpHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

function secret(): string {
  return randomBytes(32).toString("hex");
}

/** Whether two texts are the same; how long that takes does not depend on where they differ. */
function isSame(given: string, known: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(known));
}

function cookieOf({ headers }: IncomingMessage): string {
  const cookies = (headers.cookie ?? "").split("; ");
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? "";
}

/** Whether another site asks; it may send a person here by a link. */
function isForeign({ headers }: IncomingMessage, hosts: readonly string[]): boolean {
  const { origin, "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) return true;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return mode !== "navigate" || destination !== "document";
}

/** A browser that refreshes a page says that nobody has asked it to; a page left open keeps no server running. */
function isByPerson({ headers }: IncomingMessage): boolean {
  return headers["sec-fetch-user"] !== undefined || headers["sec-fetch-site"] === undefined;
}
