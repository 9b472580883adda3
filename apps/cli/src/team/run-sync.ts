import { settleOutcomes } from "@agent-checkpoint/composer";
import type { Store, SyncCursor } from "@agent-checkpoint/store";
import {
  batchText,
  type Enrolment,
  hashOf,
  makeToken,
  type SyncResult,
  syncTeam,
  type TakenRules,
  takeRules,
  type TeamRow,
  writeEnrolment,
} from "@agent-checkpoint/team";
import type { CommandContext } from "../command-context.ts";
import { type Collector, sendToCollector } from "../otlp/collector.ts";
import type { SignalReport } from "../otlp/export-otlp.ts";
import { VERSION } from "../version.ts";
import { openTarget } from "./open-target.ts";

/** Where a sync sends to: a team, a collector, or both. */
export interface Destinations {
  readonly enrolment: Enrolment | null;
  readonly collector: Collector | null;
}

/** What one sync did. */
export interface SyncReport {
  readonly team: TeamReport | null;
  readonly collector: readonly SignalReport[] | null;
  /** Whether everything was sent everywhere. */
  readonly isDone: boolean;
}

/** What the team got. */
export interface TeamReport extends SyncResult {
  readonly rules: TakenRules["status"];
  readonly rulesDetail: string | null;
}

/** Settles what became of earlier stops, and sends what is new wherever the person wants it. */
export async function runSync(
  store: Store,
  { enrolment, collector }: Destinations,
  { home, now }: SyncPlace,
  signal?: AbortSignal,
): Promise<SyncReport> {
  await settleOutcomes(store, { home, now: now() });
  const team = enrolment === null ? null : await sendToTeam(store, enrolment, { home, now }, signal);
  const signals =
    collector === null ? null : await sendToCollector(store, { ...collector, now: now(), signal }, { home });
  const isDone =
    (team === null || team.outcome === "done") && signals?.some(({ problem }) => problem !== null) !== true;
  await store.sync.note(isDone);
  return { team, collector: signals, isDone };
}

type SyncPlace = Pick<CommandContext, "home" | "now">;

/** Sends what the team does not have, takes its rules, and replaces an old token. */
async function sendToTeam(
  store: Store,
  enrolment: Enrolment,
  { home, now }: SyncPlace,
  signal?: AbortSignal,
): Promise<TeamReport> {
  const target = await openTarget(enrolment, signal);
  try {
    const result = await syncTeam({ store, enrolment, target, client: VERSION, now: now() });
    if (result.outcome !== "done") return { ...result, rules: "unchanged", rulesDetail: null };
    const rules = await takeRules(home, enrolment, target);
    if (result.rotate) await replaceToken(home, rules.status === "taken" ? rules.enrolment : enrolment, target);
    return { ...result, rules: rules.status, rulesDetail: rules.status === "kept" ? rules.detail : null };
  } finally {
    await target.close();
  }
}

/** The old token works until the new one is used, so nothing is lost if this ends half-way. */
async function replaceToken(
  home: string,
  enrolment: Enrolment,
  { rotate }: Awaited<ReturnType<typeof openTarget>>,
): Promise<void> {
  const token = makeToken();
  const answer = await rotate(hashOf(token));
  if (answer.ok) writeEnrolment(home, { ...enrolment, token });
}

/** Every byte that a sync would send to the team, before it is packed; nothing is sent and no cursor moves. */
export async function previewSync(store: Store, enrolment: Enrolment, now: Date): Promise<readonly string[]> {
  const bodies: string[] = [];
  const answer = { ok: true, received: 0, inserted: 0, refused: [], rulesVersion: 0, rotate: false } as const;
  let moved: SyncCursor | null = null;
  const still: Store["sync"] = {
    ...store.sync,
    cursor: async (target) => moved ?? (await store.sync.cursor(target)),
    move: async (target, to) => {
      const from = moved ?? (await store.sync.cursor(target));
      moved = to instanceof Date ? { ...from, judgedAt: to } : { ...from, stopId: to.id };
    },
  };
  const send = async (rows: readonly TeamRow[]) => {
    bodies.push(batchText(rows));
    return answer;
  };
  await syncTeam({ store: { ...store, sync: still }, enrolment, target: { send }, client: VERSION, now });
  return bodies;
}
