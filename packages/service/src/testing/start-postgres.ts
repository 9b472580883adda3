import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A PostgreSQL of one's own, on a free port and in a temporary folder. */
export interface Postgres {
  /** The address of a database in it, which is made if it is not there. */
  readonly database: (name: string) => Promise<string>;
  /** Ends it at once, as a crash would, and starts it again. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Ends it and deletes everything. */
  readonly remove: () => Promise<void>;
}

const DEBIAN = "/usr/lib/postgresql";

/** Where PostgreSQL's programs are, the newest first; null where there are none. */
export function findPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** Whether tests on PostgreSQL have to be left out here; that is said, and never so in the CI on Linux. */
export function isPostgresMissing(): boolean {
  if (findPostgres() !== null) return false;
  if (process.env["CI"] && process.platform === "linux")
    throw new Error("PostgreSQL is missing: apt-get install postgresql");
  console.warn("The tests on PostgreSQL are skipped: it is missing (apt-get install postgresql).");
  return true;
}

export interface PostgresOptions {
  /** Whether commits wait for the disk, as they do in earnest; by default they do not. */
  readonly isDurable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Makes and starts a cluster. PostgreSQL refuses to run as root, so root runs it as the user `postgres`. */
export async function startPostgres({ isDurable = false, settings = {} }: PostgresOptions = {}): Promise<Postgres> {
  const bin = findPostgres();
  if (bin === null) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  const isRoot = process.getuid?.() === 0;
  const asUser = (program: string, args: readonly string[]): readonly [string, string[]] =>
    isRoot
      ? ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, ...args]]
      : [program, [...args]];
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-postgres-"));
  if (isRoot) run("chown", ["postgres", folder]);
  const data = join(folder, "data");
  run(
    ...asUser(join(bin, "initdb"), ["-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]),
  );
  const port = await freePort();
  const all = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "60",
    ...(isDurable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...settings,
  };
  const args = ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const url = (name: string) => `postgres://owner@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const [program, words] = asUser(join(bin ?? "", "postgres"), args);
    server = spawn(program, words, { stdio: "ignore" });
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (await answers(url("postgres"))) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("PostgreSQL did not start");
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = server;
    server = null;
    if (running === null || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  }

  await start();
  return {
    start,
    // SIGINT is a fast shutdown, SIGQUIT an immediate one, which recovers from its log at the next start.
    stop: () => end("SIGINT"),
    crash: async () => {
      await end("SIGQUIT");
      await start();
    },
    database: async (name) => {
      const client = new pg.Client({ connectionString: url("postgres") });
      await client.connect();
      const { rows } = await client.query("select from pg_database where datname = $1", [name]);
      if (rows.length === 0) await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    remove: async () => {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 9 });
    },
  };
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
