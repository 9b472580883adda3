import { basename, join } from "node:path";
import type { Sources } from "../../kinds/kind.ts";
import type { DatabaseDriver } from "../driver.ts";
import { dumpSqlite } from "./dump-sqlite.ts";
import { replaceSqlite } from "./replace-sqlite.ts";

/** SQLite: the name is the path of the file, and a dump is a database itself. */
export function sqlite({ databaseWaitMs }: Sources): DatabaseDriver {
  return {
    dump: (path, file) => dumpSqlite(path, file, { waitMs: databaseWaitMs }),
    rehearse: async ({ dump, folder, again }) => {
      const copy = join(folder, "database");
      await replaceSqlite(copy, { dump, mode: 0o600, waitMs: databaseWaitMs, expected: null });
      await dumpSqlite(copy, again, { waitMs: databaseWaitMs });
    },
    replace: async ({ name, from, to, dump, staging, isDone }) => {
      const expected = from.oid === null ? null : { oid: from.oid, folder: staging };
      if (!isDone) await replaceSqlite(name, { dump, mode: to.mode, waitMs: databaseWaitMs, expected });
    },
    fileName: (path) => basename(path),
  };
}
