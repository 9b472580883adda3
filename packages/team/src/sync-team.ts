import type { OutcomePlace, Store } from "@agent-checkpoint/store";
import { type Enrolment, targetKey } from "./enrolment.ts";
import { BATCH, type TargetRefusal, type TeamRow, type TeamTarget } from "./protocol.ts";
import { outcomeRow, type Sender, stopRow } from "./team-rows.ts";

export interface SyncOptions {
  readonly store: Store;
  readonly enrolment: Enrolment;
  readonly target: Pick<TeamTarget, "send">;
  readonly client: string;
  readonly now: Date;
}

/** How a sync ended, and what was stored until then. */
export interface SyncResult {
  readonly outcome: "done" | TargetRefusal["reason"];
  readonly detail: string | null;
  readonly sent: number;
  readonly inserted: number;
  readonly batches: number;
  /** Rows that the target will not have, by reason: they are not sent again. */
  readonly refused: Readonly<Record<string, number>>;
  readonly rulesVersion: number;
  readonly rotate: boolean;
}

/** Outcomes of a process that judged early and wrote late are found within this time. */
const OVERLAP_MS = 10 * 60 * 1000;

/**
 * Sends what the target does not have yet, in batches. The cursor moves only after the target has stored a batch, and
 * the target knows rows by their ids: whatever is cut off is sent again, and counts once.
 */
export async function syncTeam({ store, enrolment, target, client, now }: SyncOptions): Promise<SyncResult> {
  const key = targetKey(enrolment);
  const sender: Sender = { ...enrolment, client };
  const since = new Date(enrolment.since).getTime();
  const tally = new Tally(target);

  for (;;) {
    const { stopId } = await store.sync.cursor(key);
    const stops = await store.sync.stops(stopId, tally.limit);
    const last = stops.at(-1);
    if (last === undefined) break;
    const wanted = stops.filter(({ at }) => at.getTime() >= since);
    const answer = await tally.send(wanted.map((stop) => stopRow(stop, sender)));
    if (answer === "smaller") continue;
    if (answer !== "stored") return tally.result(answer);
    await store.sync.move(key, last);
  }

  const { judgedAt } = await store.sync.cursor(key);
  // A cursor in the future comes from a clock that was wrong.
  let place: OutcomePlace = { judgedAt: Math.min(judgedAt.getTime(), now.getTime()) - OVERLAP_MS, stopId: 0, rule: "" };
  for (;;) {
    const { outcomes, next } = await store.sync.outcomes(place, tally.limit);
    if (next === null) return tally.result(null);
    const wanted = outcomes.filter(({ stop }) => stop.at.getTime() >= since);
    const answer = await tally.send(wanted.map((row) => outcomeRow(row, sender)));
    if (answer === "smaller") continue;
    if (answer !== "stored") return tally.result(answer);
    await store.sync.move(key, new Date(next.judgedAt));
    place = next;
  }
}

/** Sends batches and counts; a batch that is too large makes the next one half as long. */
class Tally {
  limit: number = BATCH.rows;
  #sent = 0;
  #inserted = 0;
  #batches = 0;
  #rulesVersion = 0;
  #rotate = false;
  readonly #refused: Record<string, number> = {};
  readonly #target: Pick<TeamTarget, "send">;

  constructor(target: Pick<TeamTarget, "send">) {
    this.#target = target;
  }

  async send(rows: readonly TeamRow[]): Promise<"stored" | "smaller" | TargetRefusal> {
    if (rows.length === 0) return "stored";
    const answer = await this.#target.send(rows);
    if (!answer.ok) {
      if (answer.reason !== "too-large" || this.limit === 1) return answer;
      this.limit = Math.ceil(this.limit / 2);
      return "smaller";
    }
    this.#sent += rows.length;
    this.#inserted += answer.inserted;
    this.#batches += 1;
    this.#rulesVersion = answer.rulesVersion;
    this.#rotate = answer.rotate;
    for (const { reason } of answer.refused) this.#refused[reason] = (this.#refused[reason] ?? 0) + 1;
    return "stored";
  }

  result(refusal: TargetRefusal | null): SyncResult {
    return {
      outcome: refusal?.reason ?? "done",
      detail: refusal?.detail ?? null,
      sent: this.#sent,
      inserted: this.#inserted,
      batches: this.#batches,
      refused: this.#refused,
      rulesVersion: this.#rulesVersion,
      rotate: this.#rotate,
    };
  }
}
