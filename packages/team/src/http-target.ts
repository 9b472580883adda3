import { gzipSync } from "node:zlib";
import { errorMessage } from "@agent-checkpoint/files";
import * as v from "valibot";
import { batchAnswer, signedRules, type TargetRefusal, type TeamRow, type TeamTarget } from "./protocol.ts";

export interface HttpPlace {
  readonly url: string;
  readonly token: string;
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 15_000;

/** The body of a batch: a line of JSON for each row. */
export function batchText(rows: readonly TeamRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** The team's service as a target. */
export function httpTarget(place: HttpPlace): TeamTarget {
  return {
    send: async (rows) => {
      const body = gzipSync(batchText(rows));
      const headers = { "content-type": "application/x-ndjson", "content-encoding": "gzip" };
      const answer = await request(place, "/v1/batches", { method: "POST", headers, body });
      return answer.ok ? read(batchAnswer, answer.value) : answer;
    },
    rules: async () => {
      const answer = await request(place, "/v1/rules", {});
      return answer.ok ? read(v.object({ rules: v.nullable(signedRules) }), answer.value) : answer;
    },
    rotate: async (tokenHash) => {
      const answer = await request(place, "/v1/token", { method: "POST", body: JSON.stringify({ tokenHash }) });
      return answer.ok ? { ok: true } : answer;
    },
    close: async () => undefined,
  };
}

/** Sends a request to the service, and reads its JSON. Redirects are not followed, because they could send the token elsewhere. */
export async function request(
  { url, token, signal }: HttpPlace,
  path: string,
  init: RequestInit,
): Promise<{ readonly ok: true; readonly value: unknown } | TargetRefusal> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])];
  try {
    const response = await fetch(new URL(path.slice(1), url.endsWith("/") ? url : `${url}/`), {
      ...init,
      redirect: "error",
      headers: {
        ...(init.headers as Record<string, string>),
        ...(token !== "" && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.any(signals),
    });
    const text = await response.text();
    if (response.ok) return { ok: true, value: JSON.parse(text) };
    return { ok: false, reason: reasonOf(response.status), detail: `${response.status} ${text.trim().slice(0, 200)}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { ok: false, reason: "later", detail: errorMessage(cause) };
  }
}

function reasonOf(status: number): TargetRefusal["reason"] {
  if (status === 413) return "too-large";
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? "refused" : "later";
}

function read<Output extends object>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): ({ readonly ok: true } & Output) | TargetRefusal {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { ok: true, ...parsed.output };
  return {
    ok: false,
    reason: "later",
    detail: `the answer is not one of a team's service: ${parsed.issues[0].message}`,
  };
}
