import { errorMessage } from "@agent-checkpoint/files";
import {
  type BatchAnswer,
  checkLine,
  enrolAnswer,
  type EnrolAnswer,
  type EnrolRequest,
  hashOf,
  signedRules,
  type SignedRules,
  type TargetRefusal,
  type TeamRow,
  type TeamTarget,
} from "@agent-checkpoint/team";
import type { Pool } from "pg";
import * as v from "valibot";
import { connectDatabase } from "./connect.ts";

/** A database as a target: what the service does for a machine, the machine does by itself. */
export function databaseTarget(url: string, token: string): TeamTarget {
  const { pool, close } = connectDatabase(url, { connections: 1 });
  const hash = hashOf(token);
  return {
    send: (rows) =>
      guarded(() =>
        ingestLines(
          pool,
          hash,
          rows.map((row) => JSON.stringify(row)),
        ),
      ),
    rules: () => guarded(async () => ({ rules: await readRules(pool, hash) })),
    rotate: (fresh) => guarded(() => replaceToken(pool, hash, fresh)),
    close,
  };
}

/** Joins straight at the database. */
export async function enrolAtDatabase(
  url: string,
  request: EnrolRequest,
): Promise<({ readonly ok: true } & EnrolAnswer) | TargetRefusal> {
  const { pool, close } = connectDatabase(url, { connections: 1 });
  try {
    return await guarded(() => enrol(pool, request));
  } finally {
    await close();
  }
}

async function guarded<Result extends object>(
  work: () => Promise<Result>,
): Promise<({ readonly ok: true } & Result) | TargetRefusal> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, reason: isRefusal(error) ? "refused" : "later", detail: errorMessage(error) };
  }
}

/** Whether the database does not know the token or the code, or the login may not do this. */
export function isRefusal(error: unknown): boolean {
  return ["28000", "28P01", "42501"].includes(codeOf(error));
}

/** Stores the lines of a batch that can be stored, and names the others. */
export async function ingestLines(pool: Pool, tokenHash: string, lines: readonly string[]): Promise<BatchAnswer> {
  const refused: { line: number; reason: string }[] = [];
  const good: Numbered[] = [];
  for (const [line, text] of lines.entries()) {
    const checked = checkLine(text);
    if (checked.ok) good.push({ line, row: checked.row });
    else refused.push({ line, reason: checked.reason });
  }
  const stored = await ingest(pool, tokenHash, good, refused);
  return { ...stored, received: lines.length, refused };
}

interface Numbered {
  readonly line: number;
  readonly row: TeamRow;
}

/** A row that the database cannot take is found by halving, so that it does not keep the others out. */
async function ingest(
  pool: Pool,
  tokenHash: string,
  rows: readonly Numbered[],
  refused: { line: number; reason: string }[],
): Promise<Omit<BatchAnswer, "refused">> {
  try {
    const { rows: answers } = await pool.query<{ answer: Omit<BatchAnswer, "refused"> }>(
      "select checkpoint.ingest(decode($1, 'hex'), $2::jsonb) as answer",
      [tokenHash, JSON.stringify(rows.map(({ row }) => row))],
    );
    const [found] = answers;
    if (found === undefined) throw new Error("no answer");
    return found.answer;
  } catch (error) {
    // Data that is out of range, or against a constraint.
    if (!/^2[23]/.test(codeOf(error))) throw error;
    const [only] = rows;
    if (rows.length > 1) {
      const middle = rows.length >> 1;
      const first = await ingest(pool, tokenHash, rows.slice(0, middle), refused);
      const second = await ingest(pool, tokenHash, rows.slice(middle), refused);
      return { ...second, inserted: first.inserted + second.inserted };
    }
    if (only === undefined) throw error;
    refused.push({ line: only.line, reason: `database-${codeOf(error)}` });
    return ingest(pool, tokenHash, [], refused);
  }
}

export async function readRules(pool: Pool, tokenHash: string): Promise<SignedRules | null> {
  const { rows } = await pool.query("select checkpoint.current_rules(decode($1, 'hex')) as rules", [tokenHash]);
  return v.parse(v.nullable(signedRules), (rows[0] as { rules: unknown } | undefined)?.rules ?? null);
}

export async function replaceToken(pool: Pool, tokenHash: string, fresh: string): Promise<object> {
  await pool.query("select checkpoint.replace_token(decode($1, 'hex'), decode($2, 'hex'))", [tokenHash, fresh]);
  return {};
}

export async function enrol(pool: Pool, { code, tokenHash, name, publicKey }: EnrolRequest): Promise<EnrolAnswer> {
  const { rows } = await pool.query("select checkpoint.enrol(decode($1, 'hex'), decode($2, 'hex'), $3, $4) as answer", [
    hashOf(code),
    tokenHash,
    name,
    publicKey ?? null,
  ]);
  return v.parse(enrolAnswer, (rows[0] as { answer: unknown } | undefined)?.answer);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
