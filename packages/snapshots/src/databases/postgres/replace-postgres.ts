import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SafetyError } from "../../trouble.ts";
import { digestFile } from "../digest-file.ts";
import type { Replacement } from "../driver.ts";
import { writeDump } from "./dump-postgres.ts";
import { createLike, dropDatabase, hasDatabase, loadDump } from "./fresh-database.ts";
import { type Server, ownDatabase, psql, tryPsql } from "./psql.ts";

/**
 * Loads a dump into a fresh database and lets it take the other's name, in one transaction. Loading over the old one
 * would leave behind what was made since. The old one is checked once more when it is no longer writable, and
 * dropped only if it is what the checkpoint for undoing holds.
 */
export async function replacePostgres(replacement: Replacement, server: Server): Promise<void> {
  const { name: service, from, dump, staging, isResumed, isDone } = replacement;
  if (dump === null) throw new SafetyError("database", `\`postgres:${service}\` was there when it was captured.`);
  const own = hash("sha256", staging).slice(0, 16);
  const fresh = `agent_checkpoint_new_${own}`;
  const old = `agent_checkpoint_old_${own}`;
  if (isResumed) await tidyUp({ service, fresh, old, from }, server, staging);
  if (isDone) return;
  try {
    await createLike(service, fresh, server);
    await loadDump({ service, database: fresh }, dump, server);
    await swap({ service, fresh, old }, server);
  } catch (error) {
    await dropDatabase(service, fresh, server);
    throw error;
  }
  if (await holds({ service, database: old }, from.oid, { server, staging })) {
    return dropDatabase(service, old, server);
  }
  await swap({ service, fresh: old, old: fresh }, server);
  await dropDatabase(service, fresh, server);
  throw new SafetyError(
    "changed-by-others",
    `\`postgres:${service}\` was written to while it was being restored.`,
    "Nothing of that was lost: the database is as it was. Stop what writes to it, and try again.",
  );
}

interface Names {
  readonly service: string;
  readonly fresh: string;
  readonly old: string;
}

/** Removes what a restore that was cut short has left; an old database that nothing else holds stays. */
async function tidyUp(
  { service, fresh, old, from }: Names & Pick<Replacement, "from">,
  server: Server,
  staging: string,
): Promise<void> {
  await dropDatabase(service, fresh, server);
  if (!(await hasDatabase(service, old, server))) return;
  if (await holds({ service, database: old }, from.oid, { server, staging })) await dropDatabase(service, old, server);
}

async function holds(
  target: { readonly service: string; readonly database: string },
  oid: string | null,
  { server, staging }: { readonly server: Server; readonly staging: string },
): Promise<boolean> {
  const file = join(staging, "old");
  try {
    await writeDump(target, file, server);
    return digestFile(file).oid === oid;
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Swaps names in one transaction. Idle sessions are ended, since a database in use cannot be renamed; one that is in the
 * middle of something is waited for, and when it takes too long nothing is changed.
 */
async function swap({ service, fresh, old }: Names, server: Server): Promise<void> {
  const { env, waitMs } = server;
  const until = Date.now() + waitMs;
  const { name, beside: target } = await ownDatabase(service, server);
  for (;;) {
    const busy = await psql(target, { sql: BUSY, values: { name } }, { env });
    const swapped =
      busy.length === 0 ? await tryPsql(target, { sql: SWAP, values: { name, fresh, old } }, { env }) : null;
    if (swapped?.ok === true) return;
    if (swapped !== null && !swapped.detail.includes("being accessed by other users"))
      throw new SafetyError("database", `\`postgres:${service}\`: ${swapped.detail}.`, "Nothing was changed.");
    if (Date.now() > until) {
      throw new SafetyError(
        "locked",
        `\`postgres:${service}\` is in use by ${busy.length === 0 ? "sessions that come back at once" : busy.join(", ")}.`,
        "Nothing was changed. End them, and try again.",
      );
    }
    await pause(200);
  }
}

const BUSY = `
SELECT coalesce(nullif(application_name, ''), 'a program without a name') || ' (' || coalesce(state, 'unknown') || ', pid ' || pid || ')'
FROM pg_stat_activity WHERE datname = :'name' AND backend_type = 'client backend' AND state IS DISTINCT FROM 'idle';
`;

const SWAP = `
BEGIN;
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = :'name' AND backend_type = 'client backend' AND state = 'idle';
ALTER DATABASE :"name" RENAME TO :"old";
ALTER DATABASE :"fresh" RENAME TO :"name";
COMMIT;
`;
