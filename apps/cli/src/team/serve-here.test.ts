import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import {
  freePort,
  isPostgresMissing,
  type Postgres,
  startPostgres,
} from "../../../../packages/service/src/testing/start-postgres.ts";
import { stageRecord } from "../dashboard/testing/stage-record.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));
const atRoot = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8");

const isMissing = isPostgresMissing();
let postgres: Postgres;
beforeAll(async () => {
  if (!isMissing) postgres = await startPostgres();
}, 60_000);
afterAll(async () => {
  if (!isMissing) await postgres.remove();
}, 60_000);

/** Starts the built program's service, and waits until it listens; it ends by SIGTERM, as a container's does. */
async function startService(args: readonly string[], database: string) {
  const env = { CHECKPOINT_TEAM_DATABASE: await postgres.database(database), HOME: scratchFolder() };
  const service = execa(process.execPath, [PROGRAM, "team", "serve", ...args], { env, reject: false });
  onTestFinished(async () => {
    service.kill("SIGTERM");
    expect((await service).exitCode).toBe(0);
  });
  const hint = await new Promise<string>((resolve) => service.stderr.once("data", (text) => resolve(String(text))));
  return { code: /--code ([\w-]{22})/.exec(hint)?.[1] ?? "", hint };
}

/** A self-signed certificate for this machine. */
async function makeCertificate(folder: string) {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await execa("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert]);
  return { cert, key };
}

// Each step is a process, since trust in a certificate is given when one starts.
describe.skipIf(isMissing)("the service's own TLS", { timeout: 90_000 }, () => {
  test("carries a machine's rows, and a machine that does not trust the certificate sends nothing", async () => {
    const folder = scratchFolder();
    const { cert, key } = await makeCertificate(folder);
    const port = await freePort();
    const { code, hint } = await startService(["--port", `${port}`, "--tls-cert", cert, "--tls-key", key], "tls");
    const url = `https://127.0.0.1:${port}`;
    expect(hint).toContain(`checkpoint team join ${url} --code`);

    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    await stageRecord(home, { stops: 20, now: new Date() });
    const run = (args: readonly string[], trusted: object) =>
      execa(process.execPath, [PROGRAM, ...args], {
        env: { PATH: process.env["PATH"], HOME: folder, CHECKPOINT_HOME: home, ...trusted },
        extendEnv: false,
        cwd: folder,
        reject: false,
      });
    const joining = ["team", "join", url, "--code", code, "--history"];
    expect(await run(joining, {})).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/self-signed/i) });
    const trusted = { NODE_EXTRA_CA_CERTS: cert };
    expect((await run(joining, trusted)).exitCode).toBe(0);
    expect((await run(["sync"], {})).exitCode).toBe(3);
    expect(JSON.parse((await run(["sync", "--json"], trusted)).stdout)).toMatchObject({ team: { outcome: "done" } });
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow("fetch failed");

    const { stdout } = await run(["team", "open"], trusted);
    const script = `fetch(process.argv[1]).then((a) => console.log(a.headers.get("set-cookie")))`;
    const cookie = await execa(process.execPath, ["-e", script, stdout], { env: trusted });
    expect(cookie.stdout).toContain("; Secure");
  });
});

describe("the container", () => {
  const containerfile = atRoot("Containerfile");
  const listOf = (name: string): readonly string[] =>
    JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, "m").exec(containerfile)?.[1] ?? "[]") as string[];

  test("is made of pinned versions, with the package manager of the repository", () => {
    const { packageManager } = JSON.parse(atRoot("package.json")) as { packageManager: string };
    expect(containerfile).toContain(`npx --yes ${packageManager} pack`);
    expect([...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
      expect.stringMatching(/^node:24\b/),
      expect.stringMatching(/^node:24\b/),
    ]);
  });

  test("is composed with a PostgreSQL that it waits for, and listens on loopback alone", () => {
    const { services, volumes } = parse(atRoot("compose.yaml")) as {
      services: Record<"database" | "service", Record<string, unknown>>;
      volumes: object;
    };
    expect(services).toMatchObject({
      database: {
        image: expect.stringMatching(/^postgres:(1[5-9]|2\d)$/),
        volumes: [expect.stringMatching(/^record:\//)],
        healthcheck: { test: ["CMD-SHELL", "pg_isready -U owner -d team"] },
      },
      service: {
        build: { context: ".", dockerfile: "Containerfile" },
        environment: { CHECKPOINT_TEAM_DATABASE: expect.stringMatching(/^postgres:\/\/owner:.*@database\/team$/) },
        ports: ["127.0.0.1:8787:8787"],
        depends_on: { database: { condition: "service_healthy" } },
      },
    });
    expect(volumes).toHaveProperty("record");
  });

  test.skipIf(isMissing)(
    "its command serves, its health check tells, and its hint names no address that cannot be joined",
    async () => {
      const [program, team, serve, ...args] = listOf("CMD");
      expect([program, team, serve]).toEqual(["checkpoint", "team", "serve"]);
      const port = await freePort();
      const [node, ...words] = listOf("HEALTHCHECK CMD").map((word) => word.replace("8787", `${port}`));
      expect(node).toBe("node");
      const isHealthy = async () => (await execa(process.execPath, words, { reject: false })).exitCode === 0;
      expect(await isHealthy()).toBe(false);
      const { hint } = await startService([...args, "--port", `${port}`], "container");
      expect(await isHealthy()).toBe(true);
      expect(hint).toContain("checkpoint team join https://<its address> --code");
    },
  );
});
