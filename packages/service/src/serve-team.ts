import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { errorMessage } from "@agent-checkpoint/files";
import { serve } from "@hono/node-server";
import { connectDatabase, fold, prepareDatabase, type TeamDatabase } from "./database/connect.ts";
import { inviteFirstAdmin } from "./database/administer.ts";
import { type LogLine, makeApp } from "./http/make-app.ts";

export interface ServeOptions {
  readonly databaseUrl: string;
  readonly team: string;
  readonly host: string;
  readonly port: number;
  /** Files with a certificate and its key; null where a proxy has them, or on loopback. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Whether a proxy in front of it speaks TLS. */
  readonly isBehindProxy: boolean;
  readonly keepMonths: number;
  readonly log: (line: LogLine) => void;
}

export interface ServedTeam {
  readonly url: string;
  /** A code for the first admin; null once there is one. */
  readonly adminCode: string | null;
  readonly database: TeamDatabase;
  /** Answers the requests it has begun, and ends. */
  readonly close: () => Promise<void>;
}

const FOLD_MS = 2000;
const UPKEEP_MS = 60 * 60 * 1000;

/** Why the service may not listen like this; null if it may. Tokens and rows cross no network in the clear. */
export function problemOfListening({
  host,
  tls,
  isBehindProxy,
}: Pick<ServeOptions, "host" | "tls" | "isBehindProxy">): string | null {
  const isLoopback = ["127.0.0.1", "localhost", "::1"].includes(host);
  return isLoopback || tls !== null || isBehindProxy ? null : `${host} is not a loopback address, and there is no TLS`;
}

/** Starts the service: migrates, listens, and keeps sums and partitions. */
export async function serveTeam(options: ServeOptions): Promise<ServedTeam> {
  const { databaseUrl, team, host, port, tls, isBehindProxy, keepMonths, log } = options;
  const prepare = () => prepareDatabase(databaseUrl, { team, now: new Date(), keepMonths });
  await prepare();
  const database = connectDatabase(databaseUrl, { onLost: (error) => log({ event: "fault", detail: error.message }) });
  const isSecure = tls !== null || isBehindProxy;
  const app = makeApp({ database, team, isSecure, log, now: () => new Date() });
  const secure =
    tls === null
      ? {}
      : { createServer: createTlsServer, serverOptions: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } };
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const started = serve({ fetch: app.fetch, hostname: host, port, ...secure }, () => resolve(started));
    started.once("error", reject);
  });
  const loops = [repeat(FOLD_MS, async () => void (await fold(database)), log), repeat(UPKEEP_MS, prepare, log)];
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `${tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    adminCode: await inviteFirstAdmin(database),
    database,
    close: async () => {
      await Promise.all(loops.map((end) => end()));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      });
      await database.close();
    },
  };
}

/** Repeats something with a pause between; a fault is logged, and it is tried again the next time. */
function repeat(pauseMs: number, work: () => Promise<void>, log: ServeOptions["log"]): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isEnded = false;
  const plan = (): void => {
    timer = setTimeout(() => {
      running = work()
        .catch((error: unknown) => log({ event: "fault", detail: errorMessage(error) }))
        .then(() => (isEnded ? undefined : plan()));
    }, pauseMs);
  };
  plan();
  return async () => {
    isEnded = true;
    clearTimeout(timer);
    await running;
  };
}
