import { randomBytes } from "node:crypto";
import type { Sources } from "../../kinds/kind.ts";
import type { DatabaseDriver } from "../driver.ts";
import { dumpPostgres, writeDump } from "./dump-postgres.ts";
import { createLike, dropDatabase, dropOldRehearsals, loadDump, REHEARSAL } from "./fresh-database.ts";
import { replacePostgres } from "./replace-postgres.ts";

/** PostgreSQL: the name is a service of `pg_service.conf`, and a dump is SQL. */
export function postgres({ env, databaseWaitMs }: Sources): DatabaseDriver {
  const server = { env, waitMs: databaseWaitMs };
  return {
    dump: (service, file) => dumpPostgres(service, file, server),
    rehearse: async ({ name: service, dump, again }) => {
      await dropOldRehearsals(service, server);
      const database = `${REHEARSAL}${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString("hex")}`;
      try {
        await createLike(service, database, server);
        await loadDump({ service, database }, dump, server);
        await writeDump({ service, database }, again, server);
      } finally {
        await dropDatabase(service, database, server);
      }
    },
    replace: (replacement) => replacePostgres(replacement, server),
    fileName: (service) => `${service}.sql`,
  };
}
