import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { expect, test } from "vitest";
import { createCheckpoint, restoreCheckpoint, restoreInto } from "../index.ts";
import { createWorkspace } from "../testing/workspace.ts";

/** How long they write; a minute is for a run by hand. */
const SECONDS = Number(process.env["SQLITE_WRITERS_SECONDS"] ?? 6);

/** Holds a transaction open for a while before each commit, and prints what was committed. */
const WRITER = `
  const [path, name, seconds] = process.argv.slice(1);
  const Database = require("better-sqlite3");
  const db = new Database(path, { timeout: 10_000 });
  const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const end = Date.now() + Number(seconds) * 1000;
  for (let row = 0; Date.now() < end; row += 1) {
    try {
      db.exec("BEGIN IMMEDIATE");
      db.prepare("INSERT INTO rows (name) VALUES (?)").run(name + row);
      wait(Math.random() * 60);
      db.exec("COMMIT");
      process.stdout.write(name + row + "\\n");
    } catch {
      if (db.inTransaction) db.exec("ROLLBACK");
    }
    wait(Math.random() * 120);
  }
`;

async function write(path: string, name: string): Promise<readonly string[]> {
  const cwd = fileURLToPath(new URL("../../..", import.meta.url));
  const child = spawn(process.execPath, ["-e", WRITER, path, name, String(SECONDS)], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) printed += String(chunk);
  return printed.trim().split("\n");
}

function rowsIn(path: string): readonly string[] {
  const db = new BetterSqlite3(path, { readonly: true });
  try {
    return db.prepare<[], string>("SELECT name FROM rows").pluck().all();
  } finally {
    db.close();
  }
}

test.for([{ mode: "WAL" }, { mode: "DELETE" }])(
  "in $mode mode, whatever three slow writers commit beside restores is in the database or in an undo snapshot",
  { timeout: (SECONDS + 60) * 1000 },
  async ({ mode }) => {
    const { root, options } = createWorkspace();
    const path = join(root, "app.db");
    const db = new BetterSqlite3(path);
    db.pragma(`journal_mode = ${mode}`);
    db.exec("CREATE TABLE rows (name TEXT)");
    db.close();
    const { report } = await createCheckpoint({ scope: "sqlite:app.db" }, options);
    const id = report.checkpoint?.id ?? "";
    const writers = Promise.all(["a", "b", "c"].map((name) => write(path, name)));
    const end = Date.now() + SECONDS * 1000;
    const undos: string[] = [];
    const outcomes = new Set<string>();
    while (Date.now() < end) {
      const back = await restoreCheckpoint({ id, force: true }, { ...options, databaseWaitMs: 2000 });
      outcomes.add("code" in back ? back.code : back.status);
      undos.push(...("report" in back && back.report.undo !== null ? [back.report.undo.checkpoint_id] : []));
    }
    const committed = (await writers).flat();
    const kept = new Set(rowsIn(path));
    for (const [index, undo] of undos.entries()) {
      const folder = `${root}-undo-${index}`;
      expect(await restoreInto(undo, folder, options)).toMatchObject({ match: true });
      for (const row of rowsIn(join(folder, "app.db"))) kept.add(row);
    }
    expect(committed.length).toBeGreaterThan(3);
    expect(committed.filter((row) => !kept.has(row))).toEqual([]);
    expect(
      [...outcomes].filter((outcome) => !["restored", "changed-by-others", "locked", "not-undoable"].includes(outcome)),
    ).toEqual([]);
  },
);
