import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensureHome, errorMessage, readSmallFile, writeWhole } from "@agent-checkpoint/files";
import * as v from "valibot";
import { type Role, ROLES } from "./protocol.ts";
import { type Privacy, PRIVACY } from "./team-rows.ts";

/** A machine's membership in a team. It lies in the person's own home, where no repository can put it. */
export interface Enrolment {
  /** The service (`https://…`, or `http://` on this machine), or a database (`postgres://…`). */
  readonly url: string;
  readonly token: string;
  readonly machine: number;
  readonly role: Role;
  readonly team: string;
  readonly salt: string;
  readonly privacy: Privacy;
  /** Stops from before are not sent. */
  readonly since: string;
  /** The key that rules must be signed with; null where the team had none yet. */
  readonly publicKey: string | null;
  /** The version of the last rules that were taken. */
  readonly rulesVersion: number;
  /** The program that the hook's worker starts to send rows. */
  readonly program: readonly string[];
}

const enrolmentSchema: v.GenericSchema<unknown, Enrolment> = v.object({
  url: v.string(),
  token: v.string(),
  machine: v.number(),
  role: v.picklist(ROLES),
  team: v.string(),
  salt: v.string(),
  privacy: v.picklist(PRIVACY),
  since: v.string(),
  publicKey: v.nullable(v.string()),
  rulesVersion: v.number(),
  program: v.array(v.string()),
});

export type EnrolmentResult =
  | { readonly ok: true; readonly enrolment: Enrolment }
  | { readonly ok: false; readonly reason: "none" | "unusable"; readonly detail: string };

/** The name of the file with the enrolment, and of the one with the team's rules, which the hook reads. */
export const ENROLMENT_FILE = "team.json";
export const TEAM_RULES_FILE = "team-rules.json";
const MAX_BYTES = 100_000;

/** Reads the enrolment of a home. */
export function readEnrolment(home: string): EnrolmentResult {
  const path = join(home, ENROLMENT_FILE);
  const file = readSmallFile(path, MAX_BYTES);
  if (!file.ok) return { ok: false, reason: file.reason === "missing" ? "none" : "unusable", detail: file.detail };
  try {
    return { ok: true, enrolment: v.parse(enrolmentSchema, JSON.parse(file.bytes.toString("utf8"))) };
  } catch (error) {
    return { ok: false, reason: "unusable", detail: `${path}: ${errorMessage(error)}` };
  }
}

/** Writes the enrolment of a home, readable by its person alone. */
export function writeEnrolment(home: string, enrolment: Enrolment): void {
  ensureHome(home);
  writeWhole(join(home, ENROLMENT_FILE), `${JSON.stringify(enrolment, null, 2)}\n`, { mode: 0o600 });
}

/** Leaves the team: nothing is sent any more, and its rules no longer count. */
export function removeEnrolment(home: string): void {
  for (const name of [ENROLMENT_FILE, TEAM_RULES_FILE]) rmSync(join(home, name), { force: true });
}

/** A new token. */
export function makeToken(): string {
  return `ckm_${randomBytes(32).toString("base64url")}`;
}

/** A new code that invites once. */
export function makeCode(): string {
  return randomBytes(16).toString("base64url");
}

/** What is kept of a token or a code. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** The name of a target in the local store: cursors of different teams do not mix. */
export function targetKey({ url, team, machine }: Enrolment): string {
  const place = URL.canParse(url) ? new URL(url).host + new URL(url).pathname : url;
  return createHash("sha256")
    .update(JSON.stringify([place, team, machine]))
    .digest("hex")
    .slice(0, 12);
}

/** Why an address cannot be a team's; null if it can. Rows and tokens leave the machine only encrypted. */
export function problemOfUrl(url: string): string | null {
  if (!URL.canParse(url)) return "an address is expected: https://… or postgres://…";
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || protocol === "postgres:" || protocol === "postgresql:") return null;
  if (protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return null;
  return "only https:// and postgres:// leave this machine; http:// is for 127.0.0.1";
}

/** Whether an address is a database's. */
export function isDatabase(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}
