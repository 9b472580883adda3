import { execFileSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { inspectStore } from "./inspect-store.ts";
import { openNodeSqlite } from "./sqlite/node-sqlite.ts";
import { MIGRATIONS } from "./tables/schema.ts";
import { anObservation, aStop } from "./testing/a-stop.ts";
import { execIn } from "./testing/drivers.ts";
import { openedStore } from "./testing/opened-store.ts";
import { temporaryHome } from "./testing/temporary-home.ts";

const KNOWN = MIGRATIONS.length;
const databaseOf = (home: string) => join(home, "checkpoint.db");

/** A home whose database holds some stops. */
async function usedHome(): Promise<string> {
  const home = temporaryHome();
  const store = await openedStore(home);
  for (let number = 0; number < 40; number += 1)
    await store.stops.record(aStop({ observations: [anObservation("x".repeat(4000))] }));
  await store.close();
  return home;
}

/** Puts garbage into the pages of a table. */
function spoilPages(path: string): void {
  const file = openSync(path, "r+");
  for (let offset = 4096 * 32; offset < statSync(path).size; offset += 4096)
    writeSync(file, Buffer.alloc(4096, 0xaa), 0, 4096, offset);
  closeSync(file);
}

describe("a database", () => {
  test("in order is readable, of the version that the program knows", async () => {
    const home = await usedHome();
    expect(await inspectStore(home)).toEqual({
      status: "readable",
      bytes: statSync(databaseOf(home)).size,
      schemaVersion: KNOWN,
      knownSchemaVersion: KNOWN,
      damage: null,
    });
  });

  test("is neither changed nor moved, and another process may write to it", async () => {
    const home = await usedHome();
    const store = await openedStore(home);
    await store.stops.record(aStop());
    const before = readFileSync(databaseOf(home));
    const names = readdirSync(home);
    const writer = openNodeSqlite(databaseOf(home), { timeout: 0 });
    onTestFinished(() => writer.close());
    writer.exec("BEGIN IMMEDIATE");
    expect(await inspectStore(home)).toMatchObject({ status: "readable", damage: null });
    expect(readFileSync(databaseOf(home))).toEqual(before);
    expect(readdirSync(home)).toEqual(names);
  });

  test("with a log that a killed process has left keeps it for the next that writes", async () => {
    const [home, killed] = [await usedHome(), temporaryHome()];
    const store = await openedStore(home);
    await store.stops.record(aStop());
    mkdirSync(killed);
    const files = ["checkpoint.db", "checkpoint.db-wal"];
    for (const name of files) copyFileSync(join(home, name), join(killed, name));
    const contents = () => files.map((name) => readFileSync(join(killed, name)));
    const before = contents();
    expect(await inspectStore(killed)).toMatchObject({ status: "readable", damage: null });
    expect(contents()).toEqual(before);
  });

  test.for([KNOWN - 1, KNOWN + 1])("of version %i is left at that", async (version) => {
    const home = await usedHome();
    execIn(databaseOf(home), `PRAGMA user_version = ${version}`);
    const seen = { status: "readable", schemaVersion: version, knownSchemaVersion: KNOWN, damage: null };
    expect(await inspectStore(home)).toMatchObject(seen);
    expect(await inspectStore(home)).toMatchObject(seen);
  });

  test("with damaged pages is readable, the damage told and nothing set aside", async () => {
    const home = await usedHome();
    spoilPages(databaseOf(home));
    expect(await inspectStore(home)).toMatchObject({
      status: "readable",
      damage: expect.stringMatching(/page|malformed|btree/i),
    });
    expect(readdirSync(home).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  test("too large to look through is not looked through", async () => {
    const home = await usedHome();
    spoilPages(databaseOf(home));
    // A hole at the end, which takes no room on the disk.
    truncateSync(databaseOf(home), 256 * 1024 * 1024 + 4096);
    expect(await inspectStore(home)).toMatchObject({ status: "readable", bytes: 268_439_552, damage: null });
  });
});

describe("what is no database of ours", () => {
  const unreadable = [
    { found: "garbage", place: (path: string) => writeFileSync(path, "no database ".repeat(500)), reason: "corrupt" },
    { found: "a folder", place: (path: string) => mkdirSync(path), reason: "unusable" },
    { found: "a link", place: (path: string) => symlinkSync("elsewhere.db", path), reason: "unusable" },
    {
      found: "a pipe",
      place: (path: string) => void execFileSync("sh", ["-c", 'mkfifo "$0"', path]),
      reason: "unusable",
    },
  ];
  test.for(unreadable)("$found is unreadable: $reason", async ({ place, reason }) => {
    const home = temporaryHome();
    mkdirSync(home);
    place(databaseOf(home));
    expect(await inspectStore(home)).toEqual({ status: "unreadable", reason, detail: expect.stringMatching(/\S/) });
    expect(readdirSync(home)).toEqual(["checkpoint.db"]);
  });

  test("a database that another process has for itself is unreadable: locked", async () => {
    const home = await usedHome();
    const other = openNodeSqlite(databaseOf(home), { timeout: 0 });
    onTestFinished(() => other.close());
    other.exec("PRAGMA locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    expect(await inspectStore(home)).toMatchObject({ status: "unreadable", reason: "locked" });
  });

  test("a home without a database is absent, and stays so", async () => {
    const home = temporaryHome();
    expect(await inspectStore(home)).toEqual({ status: "absent" });
    expect(existsSync(home)).toBe(false);
    mkdirSync(home);
    expect(await inspectStore(home)).toEqual({ status: "absent" });
    expect(readdirSync(home)).toEqual([]);
  });

  test("a file in place of the home is no store", async () => {
    const home = temporaryHome();
    writeFileSync(home, "");
    expect(await inspectStore(home)).toMatchObject({ status: "unreadable", reason: "unusable" });
  });
});
