import * as v from "valibot";

/** The limits of a batch; a server refuses more with 413, and the client sends half as much. */
export const BATCH = { rows: 500, bytes: 1_048_576, unpackedBytes: 8_388_608, lineLength: 4096 } as const;

/** Ids of rules, agents and reasons: words of the program or of a config, never a sentence. */
const id = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9:-]{0,63}$/, "id"));
const time = v.pipe(v.string(), v.isoTimestamp("time"), v.maxLength(30, "time"));
const count = v.pipe(v.number(), v.integer("count"), v.minValue(0, "count"), v.maxValue(2 ** 31 - 1, "count"));
const uid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, "uid"));
const name = v.pipe(v.string(), v.minLength(1, "name"), v.maxLength(100, "name"));
const ids = v.pipe(v.array(id), v.maxLength(64, "ids"));

/** The fields of every row. */
interface RowBase {
  readonly uid: string;
  readonly at: string;
  readonly agent: string;
  readonly repository?: string | null | undefined;
}

/** A stop as it travels. */
export interface StopRow extends RowBase {
  readonly t: "stop";
  readonly decision: "block" | "pass";
  readonly reason?: string | null | undefined;
  readonly rules?: readonly string[] | null | undefined;
  readonly checks?: readonly string[] | null | undefined;
  readonly durationMs?: number | null | undefined;
  readonly messageLength?: number | null | undefined;
  readonly files?: number | null | undefined;
  readonly client?: string | null | undefined;
}

/** What became of a rule at a stop, as it travels. */
export interface OutcomeRow extends RowBase {
  readonly t: "outcome";
  readonly rule: string;
  readonly outcome: string;
  readonly kind?: string | null | undefined;
  readonly mode?: string | null | undefined;
  readonly why?: string | null | undefined;
  readonly seconds?: number | null | undefined;
  readonly tokens?: number | null | undefined;
  readonly judgedAt?: string | null | undefined;
}

/** One line of a batch. */
export type TeamRow = StopRow | OutcomeRow;

/** What every version of a client sends is required; what came later may be absent, and what is newer still is kept. */
const stopSchema = v.looseObject({
  t: v.literal("stop"),
  uid,
  at: time,
  agent: id,
  decision: v.picklist(["block", "pass"], "decision"),
  repository: v.nullish(name),
  reason: v.nullish(id),
  rules: v.nullish(ids),
  checks: v.nullish(ids),
  durationMs: v.nullish(count),
  messageLength: v.nullish(count),
  files: v.nullish(count),
  client: v.nullish(name),
});

const outcomeSchema = v.looseObject({
  t: v.literal("outcome"),
  uid,
  at: time,
  agent: id,
  rule: id,
  outcome: id,
  repository: v.nullish(name),
  kind: v.nullish(id),
  mode: v.nullish(id),
  why: v.nullish(id),
  seconds: v.nullish(count),
  tokens: v.nullish(count),
  judgedAt: v.nullish(time),
});

const rowSchema = v.variant("t", [stopSchema, outcomeSchema], "kind");

/** A row that can be stored, or why not: the field or the property that is wrong. */
export type CheckedRow = { readonly ok: true; readonly row: TeamRow } | { readonly ok: false; readonly reason: string };

/** Checks one line of a batch. A row that a database could not take is refused here, so that it never stops the others. */
export function checkLine(line: string): CheckedRow {
  if (line.length > BATCH.lineLength) return { ok: false, reason: "too-long" };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { ok: false, reason: "no-json" };
  }
  // PostgreSQL's JSON takes neither a zero character nor half of a pair.
  if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value))) return { ok: false, reason: "characters" };
  const parsed = v.safeParse(rowSchema, value);
  if (parsed.success) return { ok: true, row: parsed.output };
  const [issue] = parsed.issues;
  return { ok: false, reason: v.getDotPath(issue) ?? issue.message };
}

/** A target's answer to a batch. */
export interface BatchAnswer {
  readonly received: number;
  readonly inserted: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  /** The version of the team's rules; 0 if it has none. */
  readonly rulesVersion: number;
  /** Whether the machine's token is old and should be replaced. */
  readonly rotate: boolean;
}

export const batchAnswer: v.GenericSchema<unknown, BatchAnswer> = v.object({
  received: v.number(),
  inserted: v.number(),
  refused: v.array(v.object({ line: v.number(), reason: v.string() })),
  rulesVersion: v.number(),
  rotate: v.boolean(),
});

/** Who asks to join: the code it was given, and the digest of the token that it has made for itself. */
export interface EnrolRequest {
  readonly code: string;
  readonly tokenHash: string;
  readonly name: string;
  /** The key that an admin signs rules with; the first admin's counts. */
  readonly publicKey?: string | null | undefined;
}

export const enrolRequest: v.GenericSchema<unknown, EnrolRequest> = v.object({
  code: v.pipe(v.string(), v.regex(/^[\w-]{22}$/, "code")),
  tokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "tokenHash")),
  name,
  publicKey: v.nullish(v.pipe(v.string(), v.maxLength(200, "publicKey"))),
});

export const ROLES = ["machine", "member", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface EnrolAnswer {
  readonly machine: number;
  readonly role: Role;
  readonly team: string;
  readonly salt: string;
  readonly publicKey: string | null;
}

export const enrolAnswer: v.GenericSchema<unknown, EnrolAnswer> = v.object({
  machine: v.number(),
  role: v.picklist(ROLES),
  team: v.string(),
  salt: v.string(),
  publicKey: v.nullable(v.string()),
});

/** Rules as they travel: the very text that was signed. */
export interface SignedRules {
  readonly version: number;
  readonly text: string;
  readonly signature: string;
}

export const signedRules: v.GenericSchema<unknown, SignedRules> = v.object({
  version: v.number(),
  text: v.pipe(v.string(), v.maxLength(50_000, "text")),
  signature: v.pipe(v.string(), v.maxLength(200, "signature")),
});

/** Why a target did not take something: `refused` lasts until a person acts, `later` passes by itself. */
export interface TargetRefusal {
  readonly ok: false;
  readonly reason: "too-large" | "refused" | "later";
  readonly detail: string;
}

/** Where a machine's rows go: the service, or a database. */
export interface TeamTarget {
  /** The batch is stored once this says so. */
  readonly send: (rows: readonly TeamRow[]) => Promise<({ readonly ok: true } & BatchAnswer) | TargetRefusal>;
  readonly rules: () => Promise<{ readonly ok: true; readonly rules: SignedRules | null } | TargetRefusal>;
  /** Makes a token known that will take the place of the present one at its first use. */
  readonly rotate: (tokenHash: string) => Promise<{ readonly ok: true } | TargetRefusal>;
  readonly close: () => Promise<void>;
}
