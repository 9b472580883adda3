import { hashOf, makeCode, type Role, type SignedRules } from "@agent-checkpoint/team";
import { sql } from "kysely";
import type { TeamDatabase } from "./connect.ts";

/** The owner of a token. */
export interface Identity {
  readonly machine: number;
  readonly role: Role;
}

/** The owner of a token; throws an error of class 28 if there is none. */
export async function identify({ pool }: TeamDatabase, token: string): Promise<Identity> {
  const { rows } = await pool.query<Identity>(
    "select machine_id as machine, role from checkpoint.identify(decode($1, 'hex'))",
    [hashOf(token)],
  );
  const [me] = rows;
  if (me === undefined) throw new Error("no answer");
  return me;
}

export interface Invitation {
  readonly role: Role;
  /** Whether the token is for many short-lived machines, and is not replaced by itself. */
  readonly isShared: boolean;
  readonly days: number;
}

/** Makes a code that lets one machine in. */
export async function invite(database: TeamDatabase, { role, isShared, days }: Invitation): Promise<string> {
  const code = makeCode();
  const expires_at = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  await database.as("admin", (db) =>
    db
      .insertInto("invites")
      .values({ hash: Buffer.from(hashOf(code), "hex"), role, is_shared: isShared, expires_at })
      .execute(),
  );
  return code;
}

/** A code for the first admin; null once there is one. Older ones that nobody used end. */
export async function inviteFirstAdmin(database: TeamDatabase): Promise<string | null> {
  const { db } = database;
  const admin = await db.selectFrom("tokens").select("machine_id").where("role", "=", "admin").limit(1).execute();
  if (admin.length > 0) return null;
  await db.deleteFrom("invites").where("role", "=", "admin").where("used_at", "is", null).execute();
  return invite(database, { role: "admin", isShared: false, days: 1 });
}

/** A machine as an admin sees it. */
export interface Machine {
  readonly id: number;
  readonly name: string;
  readonly joined_at: Date;
  readonly revoked_at: Date | null;
  readonly last_sync_at: Date | null;
  readonly client: string | null;
}

/** The machines, the most recently active first. */
export function listMachines(database: TeamDatabase, limit: number): Promise<readonly Machine[]> {
  return database.as("admin", (db) =>
    db
      .selectFrom("machines")
      .select(["id", "name", "joined_at", "revoked_at", "last_sync_at", "client"])
      .orderBy("last_sync_at", (order) => order.desc().nullsLast())
      .orderBy("id", "desc")
      .limit(limit)
      .execute(),
  );
}

/** Revokes a machine's rights; its rows are kept. Returns whether there was one. */
export async function revoke(database: TeamDatabase, machine: number): Promise<boolean> {
  const changed = await database.as("admin", (db) =>
    db
      .updateTable("machines")
      .set({ revoked_at: sql`now()` })
      .where("id", "=", machine)
      .where("revoked_at", "is", null)
      .executeTakeFirst(),
  );
  return changed.numUpdatedRows > 0n;
}

/** Stores signed rules; an existing version is not replaced. Returns whether it was stored. */
export async function storeRules(
  database: TeamDatabase,
  { version, text, signature }: SignedRules,
  by: number,
): Promise<boolean> {
  const stored = await database.as("admin", (db) =>
    db
      .insertInto("rules")
      .values({ version, text, signature, set_by: by })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst(),
  );
  return (stored.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const LINK_MINUTES = 5;
const PAGE_HOURS = 12;

/** A key that opens the page once. */
export async function makeLink({ db }: TeamDatabase, { machine, role }: Identity): Promise<string> {
  const key = makeCode();
  await db.deleteFrom("page_keys").where("expires_at", "<", new Date()).execute();
  await db
    .insertInto("page_keys")
    .values({
      hash: Buffer.from(hashOf(key), "hex"),
      kind: "link",
      role: role === "admin" ? "admin" : "member",
      machine_id: machine,
      expires_at: new Date(Date.now() + LINK_MINUTES * 60 * 1000),
    })
    .execute();
  return key;
}

/** The key of a browser's session in exchange for that of a link; null if the link was used or is too old. */
export async function openLink({ db }: TeamDatabase, link: string): Promise<string | null> {
  const key = makeCode();
  const opened = await db
    .updateTable("page_keys")
    .set({
      hash: Buffer.from(hashOf(key), "hex"),
      kind: "page",
      expires_at: new Date(Date.now() + PAGE_HOURS * 60 * 60 * 1000),
    })
    .where("hash", "=", Buffer.from(hashOf(link), "hex"))
    .where("kind", "=", "link")
    .where("expires_at", ">", new Date())
    .executeTakeFirst();
  return opened.numUpdatedRows > 0n ? key : null;
}

/** What a browser's session may see; null if it is over or its machine was revoked. */
export async function pageRole({ db }: TeamDatabase, key: string): Promise<"member" | "admin" | null> {
  const [found] = await db
    .selectFrom("page_keys")
    .innerJoin("machines", "machines.id", "page_keys.machine_id")
    .select("page_keys.role")
    .where("page_keys.hash", "=", Buffer.from(hashOf(key), "hex"))
    .where("kind", "=", "page")
    .where("expires_at", ">", new Date())
    .where("machines.revoked_at", "is", null)
    .execute();
  return found?.role ?? null;
}
