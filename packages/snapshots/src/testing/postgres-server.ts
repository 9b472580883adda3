import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL server of a test's own, reached by a socket in its folder. */
export interface PostgresServer {
  /** The variables that name its services: `app`, whose database has that name, and any that were added. */
  readonly env: Readonly<Record<string, string>>;
  readonly sql: (text: string, database?: string) => string;
  /** A session that stays open, and what ends it. */
  readonly hold: (text: string, database?: string) => Promise<() => void>;
  /** Adds a service with lines of its own. */
  readonly addService: (name: string, lines: readonly string[]) => void;
  readonly stop: () => void;
}

const FOLDERS = ["/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"];

/** Where the programs of the newest PostgreSQL of this machine lie; null where there is none. */
export function findPostgres(): string | null {
  const found = FOLDERS.filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((version) => join(folder, version, "bin")))
    .filter((folder) =>
      ["initdb", "postgres", "pg_ctl", "psql", "pg_dump"].every((name) => existsSync(join(folder, name))),
    );
  return found.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1) ?? null;
}

/** Starts a server; it refuses to run as root, so root lends it a user that may do nothing else. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-pg-"));
  const asUser = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  if (asUser.length > 0) chownSync(folder, 65_534, 65_534);
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const run = (program: string, args: readonly string[]): void => {
    const [first = "", ...rest] = [...asUser, join(bin, program), ...args];
    execFileSync(first, rest, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      cwd: folder,
    });
  };
  run("initdb", [
    "--pgdata",
    data,
    "--username=checkpoint",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  ]);
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=off -c full_page_writes=off`;
  const log = join(folder, "server.log");
  try {
    run("pg_ctl", ["--pgdata", data, "--log", log, "--options", options, "--wait", "start"]);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const own = join(folder, "client");
  mkdirSync(own);
  const services = new Map<string, readonly string[]>([["app", ["dbname=app"]]]);
  const env = {
    PATH: [bin, process.env["PATH"] ?? ""].join(":"),
    PGSERVICEFILE: join(own, "pg_service.conf"),
    PGPASSFILE: join(own, "pgpass"),
    HOME: own,
  };
  const writeServices = (): void => {
    const sections = [...services].map(([name, lines]) =>
      [
        `[${name}]`,
        `host=${folder}`,
        ...(lines.some((line) => line.startsWith("user=")) ? [] : ["user=checkpoint"]),
        ...lines,
      ].join("\n"),
    );
    writeFileSync(env.PGSERVICEFILE, `${sections.join("\n\n")}\n`, { mode: 0o600 });
  };
  writeServices();
  const connection = (database: string): string => `host=${folder} user=checkpoint dbname='${database}'`;
  const sql = (text: string, database = "app"): string =>
    execFileSync(join(bin, "psql"), ["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", connection(database)], {
      input: text,
      encoding: "utf8",
      env: { ...env, PGAPPNAME: "test" },
      stdio: ["pipe", "pipe", "pipe"],
    }).trim();
  sql("CREATE DATABASE app;", "postgres");
  return {
    env,
    sql,
    hold: async (text, database = "app") => {
      const child = spawn(join(bin, "psql"), ["-XqAt", "-d", connection(database)], {
        env: { ...env, PGAPPNAME: "holder" },
        stdio: ["pipe", "pipe", "ignore"],
      });
      child.stdin.on("error", () => undefined);
      child.stdin.write(`${text}\nSELECT 'ready';\n`);
      for await (const chunk of child.stdout) if (String(chunk).includes("ready")) break;
      return () => void child.kill();
    },
    addService: (name, lines) => {
      services.set(name, lines);
      writeServices();
    },
    stop: () => {
      run("pg_ctl", ["--pgdata", data, "--mode=immediate", "--wait", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
