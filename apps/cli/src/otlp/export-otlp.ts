import { errorMessage } from "@agent-checkpoint/files";
import type { Store, StoredStop, UnsentRows } from "@agent-checkpoint/store";
import { type OtlpOptions, type OtlpRows, type Signal, SIGNALS, toOtlp } from "./to-otlp.ts";

/** Where rows are sent, and how. */
export interface OtlpTarget extends OtlpOptions {
  /** The base of the collector's addresses: `/v1/logs` and `/v1/metrics` are appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined;
}

/** What was sent of a signal, and why not all of it, if so. */
export interface SignalReport {
  readonly signal: Signal;
  readonly url: string;
  readonly rows: number;
  readonly requests: number;
  /** What the collector took and then rejected; it is not sent again. */
  readonly rejected: number;
  readonly problem: string | null;
}

/** As many rows of each kind as one request has. */
export const BATCH = 500;

/**
 * Sends what a collector has not taken yet, as OTLP's JSON over HTTP.
 *
 * A row counts as sent once the collector has said so, and only then; each signal by itself. Nothing is tried again here:
 * the next call sends what is left.
 */
export async function exportOtlp(store: Store, target: OtlpTarget): Promise<readonly SignalReport[]> {
  const reports: SignalReport[] = [];
  for (const signal of SIGNALS) reports.push(await exportSignal(signal, store, target));
  return reports;
}

/** The requests that `exportOtlp` would make, byte by byte; nothing is sent or recorded. */
export async function previewOtlp(
  store: Store,
  target: OtlpTarget,
): Promise<readonly { readonly url: string; readonly body: string }[]> {
  const requests: { url: string; body: string }[] = [];
  for (const signal of SIGNALS) {
    const url = urlOf(signal, target);
    const { stops, outcomes } = await store.exports.unsent(nameOf(signal, target), Number.MAX_SAFE_INTEGER);
    for (let at = 0; at < Math.max(stops.length, outcomes.length); at += BATCH) {
      const part = { stops: stops.slice(at, at + BATCH), outcomes: outcomes.slice(at, at + BATCH) };
      requests.push({ url, body: toOtlp(signal, await withStops(store, part), target) });
    }
  }
  return requests;
}

async function exportSignal(signal: Signal, store: Store, target: OtlpTarget): Promise<SignalReport> {
  const [name, url] = [nameOf(signal, target), urlOf(signal, target)];
  const report = { signal, url, rows: 0, requests: 0, rejected: 0 };
  for (;;) {
    const unsent = await store.exports.unsent(name, BATCH);
    if (countOf(unsent) === 0) return { ...report, problem: null };
    const answer = await post(url, toOtlp(signal, await withStops(store, unsent), target), target);
    if (!answer.ok) return { ...report, problem: answer.problem };
    await store.exports.markSent(name, unsent);
    report.rows += countOf(unsent);
    report.requests += 1;
    report.rejected += answer.rejected;
  }
}

/** The name under which a target's rows are counted: another collector gets everything anew. */
function nameOf(signal: Signal, { endpoint }: OtlpTarget): string {
  return `otlp ${signal} ${endpoint}`;
}

function urlOf(signal: Signal, { endpoint }: OtlpTarget): string {
  return `${endpoint.replace(/\/+$/, "")}/v1/${signal}`;
}

function countOf({ stops, outcomes }: UnsentRows): number {
  return stops.length + outcomes.length;
}

async function withStops(store: Store, { stops, outcomes }: UnsentRows): Promise<OtlpRows> {
  const known = new Map<number, StoredStop | null>(stops.map((stop) => [stop.id, stop]));
  for (const { stopId } of outcomes)
    if (!known.has(stopId)) known.set(stopId, (await store.stops.list({ id: stopId }))[0] ?? null);
  return { stops, outcomes: outcomes.map((outcome) => ({ outcome, stop: known.get(outcome.stopId) ?? null })) };
}

type Answer = { readonly ok: true; readonly rejected: number } | { readonly ok: false; readonly problem: string };

async function post(url: string, body: string, { headers, timeoutMs, signal }: OtlpTarget): Promise<Answer> {
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      // What is sent along is for this address and no other.
      redirect: "error",
      signal: AbortSignal.any(signals),
    });
    const text = await response.text();
    if (response.status === 200) return { ok: true, rejected: rejectedIn(text) };
    return { ok: false, problem: `the collector answered ${response.status}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { ok: false, problem: `the collector did not answer: ${errorMessage(cause)}` };
  }
}

/** How many rows a collector has taken without keeping them; sending them again is forbidden. */
function rejectedIn(text: string): number {
  try {
    const { partialSuccess = {} } = JSON.parse(text) as { partialSuccess?: Record<string, unknown> };
    return Number(partialSuccess["rejectedLogRecords"] ?? partialSuccess["rejectedDataPoints"] ?? 0) || 0;
  } catch {
    return 0;
  }
}
