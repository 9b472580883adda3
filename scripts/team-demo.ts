// The team's record to try: a PostgreSQL of its own, the service, five machines that send ninety days of stops, and the page.
// Everything is gone at the end. With --once it ends when the page has answered.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageRecord } from "../apps/cli/src/dashboard/testing/stage-record.ts";
import { identify, makeLink } from "../packages/service/src/database/administer.ts";
import { fold } from "../packages/service/src/database/connect.ts";
import { serveTeam } from "../packages/service/src/serve-team.ts";
import { findPostgres, startPostgres } from "../packages/service/src/testing/start-postgres.ts";
import { aMachine } from "../packages/service/src/testing/team-stage.ts";
import { openStore } from "../packages/store/src/index.ts";
import { httpTarget, syncTeam } from "../packages/team/src/index.ts";

const MACHINES = [
  { stops: 900, repositories: ["/home/ada/shop", "/home/ada/billing"] },
  { stops: 1400, repositories: ["/home/ben/shop"] },
  { stops: 600, repositories: ["/work/docs", "/repo/shop"] },
  { stops: 300, repositories: ["/src/infrastructure"] },
  { stops: 2000, repositories: ["/builds/shop", "/builds/billing", "/builds/docs"] },
];

if (findPostgres() === null) {
  console.error(
    "PostgreSQL is missing. On Debian and Ubuntu: apt-get install postgresql; on macOS: brew install postgresql@17.",
  );
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "checkpoint-team-demo-"));
const postgres = await startPostgres();
try {
  const served = await serveTeam({
    databaseUrl: await postgres.database("demo"),
    team: "demo",
    host: "127.0.0.1",
    port: 0,
    tls: null,
    isBehindProxy: false,
    keepMonths: 13,
    log: () => undefined,
  });
  const { database, url } = served;
  for (const [index, record] of MACHINES.entries()) {
    const home = join(folder, String(index));
    await stageRecord(home, { ...record, now: new Date() });
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const { token, machine } = await aMachine(database);
    const enrolment = {
      url,
      token,
      machine,
      role: "machine",
      team: "demo",
      salt: "",
      privacy: "names",
      since: new Date(0).toISOString(),
      publicKey: null,
      rulesVersion: 0,
      program: [],
    } as const;
    const target = httpTarget({ url, token });
    const { sent, inserted } = await syncTeam({
      store: opened.store,
      enrolment,
      target,
      client: "demo",
      now: new Date(),
    });
    await opened.store.close();
    console.log(`machine ${machine}: ${sent} rows sent, ${inserted} new`);
  }
  while ((await fold(database)) > 0);
  const admin = await aMachine(database, "admin");
  const link = `${url}/open?${await makeLink(database, await identify(database, admin.token))}`;
  console.log(`\nThe team's page, for one browser and five minutes:\n${link}\n`);
  if (process.argv.includes("--once")) {
    const opened = await fetch(link);
    const page = await fetch(url, { headers: { cookie: opened.headers.get("set-cookie")?.split(";")[0] ?? "" } });
    console.log(/<h1>.*<\/h1>/s.exec(await page.text())?.[0].replaceAll(/<[^>]+>/g, ""));
  } else {
    console.log("Ctrl-C ends everything.");
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
      // Something that lasts, so that the process does.
      setInterval(() => undefined, 60_000);
    });
  }
  await served.close();
} finally {
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
