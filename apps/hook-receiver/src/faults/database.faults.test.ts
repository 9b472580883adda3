import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { execa, execaSync } from "execa";
import { describe, test, vi } from "vitest";
import { canMount, canRunUnder, ENDED_AFTER_15_S, inMounts, WITHOUT_OVERRIDE } from "../testing/confinement.ts";
import { HOOK, reasonOf } from "../testing/hook-process.ts";
import { logLines } from "../testing/log-lines.ts";
import { openSqlite, settle } from "../testing/sqlite.ts";
import { ROW_BEFORE, ROW_NOW, SILENCE, stageFault, type StagedFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** A busy database is waited for as long as 5 seconds; the rest is for a busy machine. */
const ANSWERED_WITHIN_MS = 15_000;

interface DatabaseFault {
  readonly fault: string;
  /** Breaks the store, and gives what mends it. */
  readonly breakIt: (staged: StagedFault) => () => void;
  /** The one line that the log gets; null where the log cannot be written either. */
  readonly log: RegExp | null;
  /** A command that the stop is run under, while the fault lasts. */
  readonly under?: readonly string[];
}

/** Puts something else in a file's place for a while. */
function inPlaceOf(path: string, make: (path: string) => void): () => void {
  const away = `${path}.away`;
  if (existsSync(path)) renameSync(path, away);
  make(path);
  return () => {
    rmSync(path, { recursive: true, force: true });
    if (existsSync(away)) renameSync(away, path);
  };
}

/** Tells whether a file has changed; read by another process, since closing a file drops the locks of one's own on it. */
function checksum(path: string): string | null {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? execaSync("cksum", [path]).stdout : null;
}

const held = (sql: string) => (staged: StagedFault) => {
  const other = openSqlite(staged.database);
  other.exec(sql);
  return () => other.close();
};

const inDatabasePlace = (make: (path: string) => void) => (staged: StagedFault) => inPlaceOf(staged.database, make);

const withMode = (path: (staged: StagedFault) => string, mode: number, usual: number) => (staged: StagedFault) => {
  chmodSync(path(staged), mode);
  return () => chmodSync(path(staged), usual);
};

const faults: readonly DatabaseFault[] = [
  { fault: "another process writes and does not end", breakIt: held("BEGIN IMMEDIATE"), log: /SQLITE_BUSY.*locked/ },
  {
    fault: "another process has it for itself",
    breakIt: held("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"),
    log: /store locked/,
  },
  {
    fault: "of a newer schema",
    breakIt: ({ database }) => {
      const setVersion = (version: unknown) => {
        const sqlite = openSqlite(database);
        const before = sqlite.pragma("user_version", { simple: true });
        sqlite.pragma(`user_version = ${String(version)}`);
        sqlite.close();
        return before;
      };
      const before = setVersion(1000);
      return () => void setVersion(before);
    },
    log: /store newer-schema.*schema version 1000.*update the program/,
  },
  {
    fault: "of another program",
    breakIt: inDatabasePlace((path) => {
      const other = openSqlite(path);
      other.exec("CREATE TABLE notes (text)");
      other.close();
    }),
    log: /store unusable.*database of another program/,
  },
  { fault: "a folder in its place", breakIt: inDatabasePlace((path) => mkdirSync(path)), log: /store unusable/ },
  { fault: "a link", breakIt: inDatabasePlace((path) => symlinkSync("elsewhere", path)), log: /store unusable/ },
  { fault: "a pipe", breakIt: inDatabasePlace((path) => void execaSync("mkfifo", [path])), log: /store unusable/ },
  {
    fault: "a file that may only be read",
    breakIt: withMode(({ database }) => database, 0o400, 0o600),
    under: WITHOUT_OVERRIDE,
    log: /SQLITE_READONLY/,
  },
  {
    fault: "in a home that may only be read",
    breakIt: withMode(({ home }) => home, 0o500, 0o700),
    under: WITHOUT_OVERRIDE,
    log: null,
  },
  {
    fault: "in a home that may not be entered",
    breakIt: withMode(({ home }) => home, 0o000, 0o700),
    under: WITHOUT_OVERRIDE,
    log: null,
  },
];

describe("a database that cannot be used now: the stop passes, nothing of the database changes, and the next is judged", () => {
  test.concurrent.for(faults)("$fault", async ({ breakIt, log, under = [] }, { expect: expectHere, skip }) => {
    skip(under.length > 0 && !canRunUnder(under), "the rights of root cannot be dropped here");
    const staged = await stageFault();
    await staged.prompt();
    settle(staged.database);
    const mend = breakIt(staged);
    const broken = checksum(staged.database);
    const start = performance.now();
    expectHere(await staged.stop({ under })).toEqual(SILENCE);
    expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
    expectHere(checksum(staged.database)).toEqual(broken);
    mend();
    expectHere(logLines(staged.home)).toEqual(log === null ? [] : [expectHere.stringMatching(log)]);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });

  test.concurrent("locked for two seconds: waited for, and the stop is judged", async ({ expect: expectHere }) => {
    const staged = await stageFault();
    const release = held("BEGIN IMMEDIATE")(staged);
    setTimeout(release, 2000);
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    expectHere(logLines(staged.home)).toEqual([]);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

test.concurrent("nobody waits for the disk: the log beside the database is left to a later stop", async ({
  expect: expectHere,
}) => {
  const staged = await stageFault();
  settle(staged.database);
  expectHere(existsSync(`${staged.database}-wal`)).toBe(false);
  expectHere(reasonOf(await staged.stop())).toContain("make restart");
  expectHere(existsSync(`${staged.database}-wal`)).toBe(true);
});

describe("a prompt that cannot be recorded is passed over, with one line in the log; its stop is judged once the database works", () => {
  test.concurrent.for(faults.filter(({ log }) => log !== null))("$fault", async ({ breakIt, under = [] }, context) => {
    const { expect: expectHere, skip } = context;
    skip(under.length > 0 && !canRunUnder(under), "the rights of root cannot be dropped here");
    const staged = await stageFault();
    const mend = breakIt(staged);
    expectHere(await staged.prompt({ under })).toEqual(SILENCE);
    mend();
    expectHere(logLines(staged.home)).toHaveLength(1);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

const canTrace = execaSync("strace", ["-qq", "-o", "/dev/null", "true"], { reject: false }).exitCode === 0;

describe("a disk that fails a read of the database, which SQLite calls corrupt", () => {
  const reads = Array.from({ length: 8 }, (_, index) => ({ nth: index + 1 }));
  test.runIf(canTrace).for(reads)(
    "read $nth: the stop passes, and the turn is not blocked twice",
    async ({ nth }, { expect: expectHere }) => {
      const staged = await stageFault();
      expectHere(reasonOf(await staged.stop())).toContain("make restart");
      settle(staged.database);
      const fault = ["-P", staged.database, "-e", `inject=pread64:error=EIO:when=${nth}`];
      expectHere(await staged.stop({ under: ["strace", "-f", "-qq", "-o", "/dev/null", ...fault] })).toEqual(SILENCE);
      expectHere(readdirSync(staged.home).filter((name) => name.includes("corrupt"))).toEqual([]);
      expectHere(await staged.stop()).toEqual(SILENCE);
      expectHere(storedStops(staged.database).slice(0, 2)).toEqual([ROW_BEFORE, ROW_NOW]);
    },
  );
});

describe("a corrupt database is set aside, byte for byte; the stop passes and the next is judged with a new one", () => {
  const PAGE = 4096;
  const spoil = (path: string, from: number, to: number) => {
    const bytes = readFileSync(path);
    bytes.fill(0xa5, from, Math.min(to, bytes.length));
    writeFileSync(path, bytes);
  };
  const damages = [
    { damage: "something else altogether", make: (path: string) => writeFileSync(path, "Dear diary,\n".repeat(1000)) },
    { damage: "a spoilt header", make: (path: string) => spoil(path, 0, 100) },
    { damage: "every page but the first spoilt", make: (path: string) => spoil(path, PAGE, Infinity) },
    { damage: "cut off after its first page", make: (path: string) => truncateSync(path, PAGE) },
    { damage: "cut off in its first page", make: (path: string) => truncateSync(path, 1000) },
  ];
  test.concurrent.for(damages)("$damage", async ({ make }, { expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt();
    settle(staged.database);
    make(staged.database);
    const damaged = readFileSync(staged.database);
    expectHere(await staged.stop()).toEqual(SILENCE);
    expectHere(logLines(staged.home)).toEqual([expectHere.stringMatching(/corrupt.*set aside as/i)]);
    const aside = readdirSync(staged.home).find((name) => /^checkpoint\.db\.corrupt-\w+$/.test(name)) ?? "";
    expectHere(readFileSync(join(staged.home, aside)).equals(damaged)).toBe(true);
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_NOW]);
  });

  test.concurrent("one spoilt index: what was committed can still be read from what was set aside", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    await staged.prompt();
    const sqlite = openSqlite(staged.database);
    const [page] = sqlite.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'stops_by_time'").pluck().all();
    sqlite.close();
    settle(staged.database);
    spoil(staged.database, (Number(page) - 1) * PAGE, Number(page) * PAGE);
    expectHere(await staged.stop()).toEqual(SILENCE);
    const aside = readdirSync(staged.home).find((name) => /^checkpoint\.db\.corrupt-\w+$/.test(name)) ?? "";
    const copy = openSqlite(join(staged.home, aside), { readonly: true });
    expectHere(copy.prepare("SELECT sessionId FROM stops NOT INDEXED").pluck().all()).toEqual(["before"]);
    copy.close();
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
  });

  test.concurrent("noise in the log beside the database: what is in the database stays, and the stop is judged", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    writeFileSync(`${staged.database}-wal`, Buffer.alloc(50_000, "noise"));
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });

  test.concurrent("an empty file under its name gets the tables, and the stop is judged", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    truncateSync(staged.database);
    expectHere(reasonOf(await staged.stop())).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_NOW]);
  });
});

describe("what lies beside the database", () => {
  const inTheWay = [
    { title: "a folder in the log's place", name: "checkpoint.log", make: (path: string) => mkdirSync(path) },
    {
      title: "a pipe in the log's place",
      name: "checkpoint.log",
      make: (path: string) => void execaSync("mkfifo", [path]),
    },
    {
      title: "a file in the compiled code's place",
      name: "compile-cache",
      make: (path: string) => {
        rmSync(path, { recursive: true, force: true });
        writeFileSync(path, "");
      },
    },
    {
      title: "noise for compiled code",
      name: "compile-cache",
      make: (path: string) => {
        const files = existsSync(path) ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
        for (const { parentPath, name } of files.filter((entry) => entry.isFile()))
          writeFileSync(join(parentPath, name), Buffer.alloc(50_000, "noise"));
      },
    },
  ];
  test.concurrent.for(inTheWay)(
    "$title: every event is answered in time, and the stop is judged",
    async ({ name, make }, { expect: expectHere }) => {
      const staged = await stageFault();
      make(join(staged.home, name));
      const start = performance.now();
      expectHere(await staged.prompt()).toEqual(SILENCE);
      expectHere(reasonOf(await staged.stop())).toContain("make restart");
      expectHere(await staged.stop({ event: { stop_hook_active: true } })).toEqual(SILENCE);
      expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
      expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW, "now: pass asked-before"]);
    },
  );

  test.concurrent("a pipe in the lock's place, where the database is to be made: passes, with one line in the log", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    rmSync(staged.home, { recursive: true });
    mkdirSync(staged.home);
    await execa("mkfifo", [join(staged.home, "checkpoint.lock")]);
    expectHere(await staged.stop({ under: ENDED_AFTER_15_S })).toEqual(SILENCE);
    expectHere(logLines(staged.home)).toHaveLength(1);
  });
});

describe("a full disk", () => {
  const MOUNT_SMALL = 'cp -a "$1" "$1-copy"; mount -t tmpfs -o size=1m tmpfs "$1"; cp -a "$1-copy/." "$1"';

  /** Stops on a full disk and again when there is room, and lays out what the home holds then. */
  const STOP_TWICE = `
    home="$1"; event="$2"; after="$3"; shift 3
    dd if=/dev/zero of="$home/filler" bs=65536 2> /dev/null || true
    dd if=/dev/zero of="$home/filler" bs=1 oflag=append conv=notrunc 2> /dev/null || true
    "$@" < "$event" > "$after/full.out"; echo $? > "$after/full.code"
    rm "$home/filler"
    "$@" < "$event" > "$after/room.out"; echo $? > "$after/room.code"
    cp -a "$home" "$after/home"`;

  test.runIf(canMount)("passes while it is full, and is judged when there is room again", async ({ expect }) => {
    const staged = await stageFault();
    await staged.prompt();
    const after = join(dirname(staged.home), "after");
    mkdirSync(after);
    const event = join(after, "event.json");
    writeFileSync(event, JSON.stringify(staged.event()));
    const twice = ["sh", "-ec", STOP_TWICE, "sh", staged.home, event, after];
    const [program = "", ...args] = [...inMounts(MOUNT_SMALL, staged.home), ...twice];
    const { stderr } = await execa(program, [...args, ...HOOK, "--agent", "claude"], {
      env: { ...staged.env, CHECKPOINT_NOW: "2026-03-02T09:04:00Z" },
    });
    expect(stderr).toBe("");
    const read = (name: string) => readFileSync(join(after, name), "utf8");
    expect({ full: read("full.out"), code: read("full.code") }).toEqual({ full: "", code: "0\n" });
    expect(reasonOf({ stdout: read("room.out") })).toContain("make restart");
    expect(storedStops(join(after, "home", "checkpoint.db"))).toEqual([ROW_BEFORE, ROW_NOW]);
    expect(readdirSync(join(after, "home")).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  test.runIf(canMount)(
    "no room for a first database: passes, and nothing half-made is left in the way",
    async ({ expect }) => {
      const staged = await stageFault();
      rmSync(staged.home, { recursive: true });
      mkdirSync(staged.home);
      const under = inMounts('mount -t tmpfs -o size=8k tmpfs "$1"', staged.home);
      expect(await staged.stop({ under })).toEqual(SILENCE);
      copyFileSync(staged.transcript, join(staged.home, "unrelated"));
      expect(reasonOf(await staged.stop())).toContain("make restart");
    },
  );

  test.runIf(canMount)(
    "a home on a file system that is mounted for reading: passes, and what it holds stays",
    async ({ expect }) => {
      const staged = await stageFault();
      const under = inMounts('mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"', staged.home);
      expect(await staged.stop({ under })).toEqual(SILENCE);
      expect(storedStops(staged.database)).toEqual([ROW_BEFORE]);
      expect(reasonOf(await staged.stop())).toContain("make restart");
    },
  );
});
