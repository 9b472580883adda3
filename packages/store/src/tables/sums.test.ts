import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aStop } from "../testing/a-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { type Outcome, OUTCOME_NAMES } from "./outcomes.ts";
import { NEWEST_ANSWERS, type Scope } from "./sums.ts";

const noon = new Date("2026-01-10T12:00:00Z");
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Four days of a time zone, the last of which has not ended. */
const days = [-3, -2, -1, 0, 1].map((day) => noon.getTime() + day * DAY_MS - 13 * HOUR_MS);
const [from = 0] = days.slice(2);

const agents = fc.constantFrom(...AGENT_NAMES.slice(0, 2));
const places = fc.constantFrom("/one", "/other");
const rules = fc.constantFrom("tests", "lint");
const record = fc.array(
  fc.record({
    agent: agents,
    repository: fc.option(places),
    projectPath: fc.option(places),
    isCanary: fc.constantFrom(false, false, false, true),
    isBlock: fc.boolean(),
    hoursAgo: fc.integer({ min: 0, max: 100 }),
    durationMs: fc.integer({ min: 1, max: 4 }),
    answer: fc.option(
      fc.record({
        rule: rules,
        mode: fc.constantFrom("require" as const, "advise" as const, "shadow" as const),
        outcome: fc.constantFrom(...OUTCOME_NAMES),
        kind: fc.constantFrom("action" as const, "action" as const, "message" as const),
        seconds: fc.option(fc.integer({ min: 1, max: 9 })),
      }),
    ),
  }),
  { maxLength: 60 },
);
const scope: fc.Arbitrary<Scope> = fc.record({
  agent: fc.option(agents),
  repository: fc.option(places),
  rule: fc.option(rules),
});

test("the sums of any part of any record are those of its rows", async () => {
  await fc.assert(
    fc.asyncProperty(record, scope, async (rows, { agent, repository, rule }) => {
      const store = await openedStore(temporaryHome());
      const stops = rows.map(({ hoursAgo, isBlock, isCanary, durationMs, ...row }) => {
        const at = new Date(noon.getTime() - hoursAgo * HOUR_MS);
        const { agent: by, projectPath } = row;
        const stop = { agent: by, projectPath, repository: row.repository, at, isCanary, durationMs };
        return aStop({ ...stop, decision: isBlock ? "block" : "pass" });
      });
      for (const stop of stops) await store.stops.record(stop);
      const answers = rows.flatMap(({ answer, agent: by, repository: place, hoursAgo }, index): readonly Outcome[] => {
        const at = new Date(noon.getTime() - hoursAgo * HOUR_MS);
        const shared = { stopId: index + 1, agent: by, repository: place, at, judgedAt: at, why: null, note: null };
        return answer === null ? [] : [{ ...shared, ...answer, tokens: null }];
      });
      await store.outcomes.record(answers);

      const sums = await store.outcomes.sumUp({ days, from, agent, repository, rule });

      const isBetween = ({ at }: { readonly at: Date }, since: number, until: number) =>
        at.getTime() >= since && at.getTime() < until;
      const placeOf = (stop: (typeof stops)[number]) => stop.repository ?? stop.projectPath;
      const byAgent = (row: { readonly agent: string }) => agent === null || row.agent === agent;
      const counted = stops.filter((stop) => stop.isCanary !== true && byAgent(stop));
      const ofPlace = counted.filter((stop) => repository === null || placeOf(stop) === repository);
      const known = answers.filter((row) => row.kind !== "message" && byAgent(row));
      const said = known.filter(
        (row) =>
          row.mode !== "shadow" &&
          (repository === null || row.repository === repository) &&
          (rule === null || row.rule === rule),
      );
      const isOf = (outcome: Outcome["outcome"], since: number, until: number) =>
        said.filter((row) => row.outcome === outcome && isBetween(row, since, until)).length;
      expect(sums.days.map((day) => ({ ...day }))).toEqual(
        days.slice(0, -1).map((since, index) => {
          const until = days[index + 1] ?? 0;
          const own = ofPlace.filter((stop) => isBetween(stop, since, until));
          return {
            from: since,
            stops: own.length,
            blocked: own.filter(({ decision }) => decision === "block").length,
            done: isOf("done", since, until),
            partly: isOf("partly", since, until),
            ignored: isOf("ignored", since, until),
            waived: isOf("waived", since, until),
            unknown: isOf("unknown", since, until),
          };
        }),
      );
      const end = days.at(-1) ?? 0;
      const recent = counted.filter((stop) => isBetween(stop, from, end));
      for (const place of ["/one", "/other", null])
        for (const decision of ["block", "pass"])
          expect(total(sums.stops.filter((row) => row.repository === place && row.decision === decision))).toBe(
            recent.filter((stop) => placeOf(stop) === place && stop.decision === decision).length,
          );
      expect(total(sums.answers)).toBe(known.filter((row) => isBetween(row, from, end)).length);
      expect(total(sums.answers.filter(({ isShadow }) => isShadow === 1))).toBe(
        known.filter((row) => row.mode === "shadow" && isBetween(row, from, end)).length,
      );
      expect(total(sums.durations)).toBe(ofPlace.filter((stop) => isBetween(stop, from, end)).length);
      expect(sums.costs.length).toBe(said.filter((row) => row.seconds !== null && isBetween(row, from, end)).length);
      await store.close();
    }),
    { numRuns: 40 },
  );
});

function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

test("an agent's last firing is that of its sessions, canaries aside", async () => {
  const store = await openedStore(temporaryHome());
  const earlier = new Date(noon.getTime() - 2 * DAY_MS);
  await store.stops.record(aStop({ at: earlier, sessionId: "one" }));
  await store.stops.record(aStop({ at: noon, sessionId: "two", isCanary: true }));
  await store.stops.record(aStop({ at: noon, sessionId: "three", agent: "codex" }));
  const { firings } = await store.outcomes.sumUp({ days, from, agent: "claude", repository: null, rule: null });
  expect(firings.map((row) => ({ ...row }))).toEqual([
    { agent: "claude", last: earlier.getTime() },
    { agent: "codex", last: noon.getTime() },
  ]);
});

test("the newest answers to a rule that was left often enough are given, and no more than decide", async () => {
  const store = await openedStore(temporaryHome());
  const answer = (stopId: number, fields: Partial<Outcome>): Outcome => ({
    stopId,
    rule: "tests",
    kind: "action",
    mode: "require",
    agent: "claude",
    repository: "/one",
    at: new Date(noon.getTime() + stopId),
    outcome: "ignored",
    why: null,
    note: null,
    seconds: null,
    tokens: null,
    judgedAt: noon,
    ...fields,
  });
  const many = Array.from({ length: NEWEST_ANSWERS + 5 }, (_, index) =>
    answer(index + 1, { outcome: index < 5 ? "waived" : "done", mode: index % 2 === 0 ? "require" : "shadow" }),
  );
  const others = Array.from({ length: 4 }, (_, index) => answer(1000 + index, { repository: "/other" }));
  await store.outcomes.record([...many, ...others]);

  const left = await store.outcomes.left(new Date(0), 5);
  expect([...left.keys()]).toEqual(["/one"]);
  expect(left.get("/one")).toEqual(
    many
      .slice(5)
      .toReversed()
      .map(({ rule, mode, agent, repository, outcome }) => ({ rule, mode, agent, repository, outcome })),
  );

  const scoped = { agent: null, repository: "/one", rule: "tests", since: new Date(0) };
  expect((await store.outcomes.newest({ ...scoped, isShadow: true })).every(({ mode }) => mode === "shadow")).toBe(
    true,
  );
  expect(await store.outcomes.newest({ ...scoped, isShadow: false, repository: "/nowhere" })).toEqual([]);
});
