import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OpenOptions } from "./open-store.ts";
import type { BlockClaim } from "./tables/stops.ts";
import type { Prompt } from "./tables/sessions.ts";
import type { Session } from "./tables/sessions.ts";
import { anObservation, aStop } from "./testing/a-stop.ts";
import { aStoredStop } from "./testing/a-stored-stop.ts";
import { DRIVERS } from "./testing/drivers.ts";
import { openedStore as opened, sessionOf } from "./testing/opened-store.ts";
import { temporaryHome } from "./testing/temporary-home.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);
const noon = at("12:00:00");

const prompt = (fields: Partial<Prompt> = {}): Prompt => ({
  agent: "claude",
  sessionId: "session-1",
  projectPath: "/project",
  transcriptPath: "/transcripts/1.jsonl",
  turn: "turn-1",
  at: noon,
  ...fields,
});

const claim = (fields: Partial<BlockClaim> = {}): BlockClaim => ({
  agent: "claude",
  sessionId: "session-1",
  turns: ["turn-1"],
  at: at("12:01:00"),
  stop: {
    projectPath: "/project",
    reason: "actions-missing",
    actions: ["run-tests"],
    observations: [anObservation("Tests were not observed this turn.")],
    durationMs: 80,
  },
  ...fields,
});

const untouched: Session = {
  agent: "claude",
  sessionId: "session-1",
  projectPath: null,
  transcriptPath: null,
  workingSlug: null,
  firstSeenAt: noon,
  lastMessageSentAt: null,
  lastCheckpointAt: null,
  currentTurn: null,
  lastBlockedTurn: null,
  lastStopAt: null,
  touchedFiles: [],
  readUpTo: null,
  baseline: null,
  route: null,
};

const prompted: Session = {
  ...untouched,
  projectPath: "/project",
  transcriptPath: "/transcripts/1.jsonl",
  lastMessageSentAt: noon,
  currentTurn: "turn-1",
};

describe.for(DRIVERS)("on $sqlite", (driver) => {
  const openedStore = (home: string, options?: OpenOptions) => opened(home, { ...driver, ...options });
  const freshStore = () => openedStore(temporaryHome(), { now: () => noon });

  describe("a session", () => {
    test("is unknown before its first event", async () => {
      const store = await freshStore();
      expect(await sessionOf(store, "claude", "session-1")).toBeNull();
    });

    test("is told apart from another agent's session of the same name", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      expect(await sessionOf(store, "claude", "session-1")).toEqual(prompted);
      expect(await sessionOf(store, "gemini", "session-1")).toBeNull();
      expect(await sessionOf(store, "claude", "session-2")).toBeNull();
    });

    test("survives in the database", async () => {
      const home = temporaryHome();
      const first = await openedStore(home);
      await first.sessions.prompt(prompt());
      await first.close();
      const second = await openedStore(home);
      expect(await sessionOf(second, "claude", "session-1")).toEqual(prompted);
    });
  });

  describe("a prompt", () => {
    test("opens a turn that may be blocked again", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      await store.stops.claimBlock(claim());
      await store.sessions.prompt(prompt({ turn: "turn-2", at: at("12:02:00") }));
      expect(await sessionOf(store, "claude", "session-1")).toEqual({
        ...prompted,
        lastMessageSentAt: at("12:02:00"),
        currentTurn: "turn-2",
        lastCheckpointAt: null,
        lastBlockedTurn: "turn-1",
        lastStopAt: at("12:01:00"),
      });
    });

    test("that is recorded twice does not open its turn again", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      await store.stops.claimBlock(claim());
      await store.sessions.prompt(prompt());
      expect(await sessionOf(store, "claude", "session-1")).toMatchObject({ lastCheckpointAt: at("12:01:00") });
    });

    test("moves the session to the project and transcript it names, and leaves them if it names none", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      const place = { projectPath: "/other", transcriptPath: "/transcripts/2.jsonl" };
      await store.sessions.prompt(prompt({ ...place, turn: "turn-2" }));
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...prompted, ...place, currentTurn: "turn-2" });
      await store.sessions.prompt(prompt({ projectPath: null, transcriptPath: null, turn: "turn-3" }));
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...prompted, ...place, currentTurn: "turn-3" });
    });

    const baselines = [
      { prompts: "only the first", given: [{ "a.ts": "1" }], kept: { "a.ts": "1" } },
      { prompts: "the first and the second", given: [{ "a.ts": "1" }, { "b.ts": "2" }], kept: { "a.ts": "1" } },
      { prompts: "the second only", given: [undefined, { "b.ts": "2" }], kept: null },
      { prompts: "the first, an empty one", given: [{}, { "b.ts": "2" }], kept: {} },
      {
        prompts: "a file of an odd name",
        given: [JSON.parse('{"__proto__":"1"}')],
        kept: JSON.parse('{"__proto__":"1"}'),
      },
    ];
    test.for(baselines)("that brings a baseline: $prompts", async ({ given, kept }) => {
      const store = await freshStore();
      for (const baseline of given) await store.sessions.prompt(prompt({ baseline }));
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...prompted, baseline: kept });
    });

    test("is the first one although somebody has named the session before", async () => {
      const store = await freshStore();
      await store.sessions.update("claude", "session-1", { workingSlug: "slug" });
      await store.sessions.prompt(prompt({ baseline: { "a.ts": "1" } }));
      expect(await sessionOf(store, "claude", "session-1")).toMatchObject({ baseline: { "a.ts": "1" } });
    });

    test("comes too late for a baseline where the session has stopped before", async () => {
      const store = await freshStore();
      await store.stops.record(aStop({ at: at("11:00:00") }));
      await store.sessions.prompt(prompt({ baseline: { "a.ts": "1" } }));
      expect(await sessionOf(store, "claude", "session-1")).toEqual({
        ...prompted,
        firstSeenAt: at("11:00:00"),
        lastStopAt: at("11:00:00"),
      });
    });
  });

  describe("a block", () => {
    test("is claimed once, by whatever name the turn goes", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      expect(await store.stops.claimBlock(claim({ turns: ["turn-1", "prompt@120"] }))).toEqual({ claimed: true });
      expect(await store.stops.claimBlock(claim({ turns: ["turn-1"] }))).toEqual({ claimed: false });
      expect(await store.stops.claimBlock(claim({ turns: ["other", "prompt@120"] }))).toEqual({ claimed: false });
      expect(await store.stops.claimBlock(claim({ turns: ["other"] }))).toEqual({ claimed: true });
    });

    test("leaves its stop and its stamps, and a refused claim leaves nothing", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      await store.stops.claimBlock(claim({ turns: ["turn-1", "prompt@120"] }));
      const blocked = {
        session: {
          ...prompted,
          lastCheckpointAt: at("12:01:00"),
          lastBlockedTurn: "turn-1",
          lastStopAt: at("12:01:00"),
        },
        stops: [aStoredStop(1, { ...claim().stop, at: at("12:01:00"), decision: "block" })],
      };
      const state = async () => ({
        session: await sessionOf(store, "claude", "session-1"),
        stops: await store.stops.list(),
      });
      expect(await state()).toEqual(blocked);
      await store.stops.claimBlock(claim({ turns: ["prompt@120"], at: at("12:05:00") }));
      expect(await state()).toEqual(blocked);
    });

    test("of a session that no event has named makes the session known", async () => {
      const store = await freshStore();
      await store.stops.claimBlock(claim());
      expect(await sessionOf(store, "claude", "session-1")).toEqual({
        ...untouched,
        projectPath: "/project",
        firstSeenAt: at("12:01:00"),
        lastCheckpointAt: at("12:01:00"),
        lastBlockedTurn: "turn-1",
        lastStopAt: at("12:01:00"),
      });
    });

    test("of a canary is claimed once and makes no session known", async () => {
      const store = await freshStore();
      const canary = claim({ stop: { ...claim().stop, isCanary: true } });
      expect(await store.stops.claimBlock(canary)).toEqual({ claimed: true });
      expect(await store.stops.claimBlock(canary)).toEqual({ claimed: false });
      expect(await store.stops.isBlocked("claude", "session-1", ["turn-1"])).toBe(true);
      expect(await store.stops.list()).toEqual([
        aStoredStop(1, { ...claim().stop, at: at("12:01:00"), decision: "block", isCanary: true }),
      ]);
      expect(await store.sessions.list()).toEqual([]);
    });

    test("belongs to one session of one agent", async () => {
      const store = await freshStore();
      expect(await store.stops.claimBlock(claim())).toEqual({ claimed: true });
      expect(await store.stops.claimBlock(claim({ agent: "gemini" }))).toEqual({ claimed: true });
      expect(await store.stops.claimBlock(claim({ sessionId: "session-2" }))).toEqual({ claimed: true });
    });

    test("whose message never arrived is given back", async () => {
      const store = await freshStore();
      await store.sessions.prompt(prompt());
      await store.stops.claimBlock(claim({ turns: ["turn-1", "prompt@120"] }));
      await store.stops.releaseBlock({
        agent: "claude",
        sessionId: "session-1",
        turns: ["turn-1", "prompt@120"],
        reason: "undelivered",
      });
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...prompted, lastStopAt: at("12:01:00") });
      expect((await store.stops.list()).map(({ decision, reason }) => [decision, reason])).toEqual([
        ["pass", "undelivered"],
      ]);
      expect(await store.stops.claimBlock(claim({ turns: ["prompt@120"] }))).toEqual({ claimed: true });
    });

    test("of another session stays when one is given back", async () => {
      const store = await freshStore();
      await store.stops.claimBlock(claim());
      await store.stops.claimBlock(claim({ sessionId: "session-2" }));
      await store.stops.releaseBlock({
        agent: "claude",
        sessionId: "session-1",
        turns: ["turn-1"],
        reason: "undelivered",
      });
      expect(await store.stops.isBlocked("claude", "session-2", ["turn-1"])).toBe(true);
    });

    test("of a turn without a name is refused", async () => {
      const store = await freshStore();
      expect(await store.stops.claimBlock(claim({ turns: [] }))).toEqual({ claimed: false });
      expect(await store.stops.list()).toEqual([]);
    });

    const asked = [
      { turns: ["turn-1"], blocked: true },
      { turns: ["turn-2"], blocked: false },
      { turns: ["turn-2", "prompt@120"], blocked: true },
      { turns: ["turn-2", "turn-3"], blocked: false },
      { turns: [], blocked: false },
    ];
    test.for(asked)(
      "of turn-1, also called prompt@120, is on record for $turns: $blocked",
      async ({ turns, blocked }) => {
        const store = await freshStore();
        await store.stops.claimBlock(claim({ turns: ["turn-1", "prompt@120"] }));
        expect(await store.stops.isBlocked("claude", "session-1", turns)).toBe(blocked);
        expect(await store.stops.isBlocked("gemini", "session-1", turns)).toBe(false);
        expect(await store.stops.isBlocked("claude", "session-2", turns)).toBe(false);
      },
    );

    test("is granted exactly when no name of the turn was granted before, in whatever order names come", async () => {
      const store = await freshStore();
      const names = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1, maxLength: 4 });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(names, { maxLength: 8 }), async (claims) => {
          const sessionId = `run-${(run += 1)}`;
          const taken = new Set<string>();
          for (const turns of claims) {
            const claimed = turns.every((turn) => !taken.has(turn));
            expect(await store.stops.claimBlock(claim({ sessionId, turns }))).toEqual({ claimed });
            if (claimed) for (const turn of turns) taken.add(turn);
          }
        }),
        { numRuns: 50 },
      );
    });
  });

  describe("a stop", () => {
    const trail = {
      transcriptPath: "/transcripts/1.jsonl",
      turnStart: 120,
      readUpTo: 4096,
      promptAt: at("11:59:00"),
      changedFiles: ["a.ts", "ä \n.ts"],
      changedFileCount: 2,
      workingSlug: "slug",
    };

    test("is kept as it was given, and its time in the session", async () => {
      const store = await freshStore();
      const stop = {
        actions: ["a", "b"],
        observations: [anObservation("`x` was edited."), { check: "failed-command", text: "Ünï\n🎉", isFailure: true }],
        turn: null,
        trail,
      };
      await store.sessions.prompt(prompt());
      await store.stops.record(aStop(stop));
      expect(await store.stops.list()).toEqual([aStoredStop(1, stop)]);
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...prompted, lastStopAt: noon });
    });

    test("is no canary unless it says so, and lasts whole milliseconds", async () => {
      const store = await freshStore();
      await store.stops.record({ ...aStop({ durationMs: 12.6 }), isCanary: undefined });
      expect(await store.stops.list()).toEqual([aStoredStop(1, { durationMs: 13, isCanary: false })]);
    });

    test("without a session is kept, and no session made of it", async () => {
      const store = await freshStore();
      await store.stops.record(aStop({ sessionId: "", projectPath: null }));
      expect(await store.stops.list()).toEqual([aStoredStop(1, { sessionId: "", projectPath: null })]);
      expect(await sessionOf(store, "claude", "")).toBeNull();
    });

    test("keeps what came of saving at it, where that was tried", async () => {
      const store = await freshStore();
      await store.stops.record(aStop({ save: "committed" }));
      await store.stops.record(aStop({ save: null }));
      expect(await store.stops.list()).toEqual([aStoredStop(2), aStoredStop(1, { save: "committed" })]);
    });

    test("that is a canary is kept, and leaves the session as it is", async () => {
      const store = await freshStore();
      await store.stops.record(aStop({ isCanary: true }));
      expect(await store.stops.list()).toEqual([aStoredStop(1, { isCanary: true })]);
      expect(await store.sessions.list()).toEqual([]);
      await store.sessions.prompt(prompt());
      await store.stops.record(aStop({ isCanary: true }));
      expect(await store.sessions.list()).toEqual([prompted]);
    });

    test("keeps what it was judged on when it is blocked", async () => {
      const store = await freshStore();
      await store.stops.claimBlock(claim({ stop: { ...claim().stop, trail } }));
      expect((await store.stops.list()).map((stop) => stop.trail)).toEqual([trail]);
    });

    test("is found by its number, which no other stop gets", async () => {
      const store = await freshStore();
      await store.stops.record(aStop({ reason: "first" }));
      await store.stops.record(aStop({ reason: "second", trail }));
      expect(await store.stops.list({ id: 1 })).toEqual([aStoredStop(1, { reason: "first" })]);
      expect(await store.stops.list({ id: 2 })).toEqual([aStoredStop(2, { reason: "second", trail })]);
      for (const id of [0, 3, -1, 1.5]) expect(await store.stops.list({ id })).toEqual([]);
    });

    test("tells the session its project, unless it has one", async () => {
      const store = await freshStore();
      await store.sessions.update("claude", "session-1", {});
      for (const projectPath of ["/project", "/project/sub"]) await store.stops.record(aStop({ projectPath }));
      expect(await sessionOf(store, "claude", "session-1")).toMatchObject({ projectPath: "/project" });
    });

    test("may come after the clock was put back", async () => {
      const store = await freshStore();
      await store.stops.record(aStop({ at: at("12:00:00") }));
      await store.stops.record(aStop({ at: at("09:00:00") }));
      expect(await sessionOf(store, "claude", "session-1")).toMatchObject({
        firstSeenAt: at("12:00:00"),
        lastStopAt: at("09:00:00"),
      });
    });

    const stops = [
      aStop({ reason: "1", at: at("12:00:00") }),
      aStop({ reason: "2", at: at("12:00:00"), isCanary: true }),
      aStop({ reason: "3", at: at("12:00:03"), agent: "gemini", projectPath: null }),
      aStop({ reason: "4", at: at("12:00:02"), sessionId: "session-2", projectPath: "/other" }),
    ];
    const filters = [
      { filter: undefined, reasons: ["3", "4", "2", "1"] },
      { filter: {}, reasons: ["3", "4", "2", "1"] },
      { filter: { limit: 2 }, reasons: ["3", "4"] },
      { filter: { agent: "gemini" as const }, reasons: ["3"] },
      { filter: { sessionId: "session-1" }, reasons: ["3", "2", "1"] },
      { filter: { since: at("12:00:02") }, reasons: ["3", "4"] },
      { filter: { agent: "claude" as const, sessionId: "session-1", since: at("12:00:01") }, reasons: [] },
      { filter: { isCanary: true }, reasons: ["2"] },
      { filter: { isCanary: false }, reasons: ["3", "4", "1"] },
      { filter: { isCanary: undefined }, reasons: ["3", "4", "2", "1"] },
      { filter: { agent: "claude" as const, sessionId: "session-1", isCanary: false, limit: 2 }, reasons: ["1"] },
    ];
    test.for(filters)("is listed newest first: $filter", async ({ filter, reasons }) => {
      const store = await freshStore();
      for (const stop of stops) await store.stops.record(stop);
      expect((await store.stops.list(filter)).map(({ reason }) => reason)).toEqual(reasons);
    });
  });

  describe("an update of a session", () => {
    const everything = {
      projectPath: "/other",
      transcriptPath: "/transcripts/9.jsonl",
      workingSlug: "slug",
      readUpTo: 4_294_967_296,
      baseline: { "a.ts": "9" },
      touchedFiles: ["a.ts"],
    };
    const nothing = {
      projectPath: null,
      transcriptPath: null,
      workingSlug: null,
      readUpTo: null,
      baseline: null,
      route: null,
    };

    test("makes the session known", async () => {
      const store = await freshStore();
      await store.sessions.update("claude", "session-1", {});
      expect(await sessionOf(store, "claude", "session-1")).toEqual(untouched);
    });

    test("sets what is given, to nothing if so given, and leaves the rest", async () => {
      const store = await freshStore();
      await store.sessions.update("claude", "session-1", everything);
      await store.sessions.update("claude", "session-1", {});
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...untouched, ...everything });
      await store.sessions.update("claude", "session-1", nothing);
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...untouched, touchedFiles: ["a.ts"] });
    });

    test("sets the mark of a full context, which a session has only then", async () => {
      const store = await freshStore();
      const contextMark = { at: at("11:59:00"), isArmed: false, hasFailed: true };
      await store.sessions.update("claude", "session-1", { contextMark });
      await store.sessions.update("claude", "session-1", {});
      expect(await sessionOf(store, "claude", "session-1")).toEqual({ ...untouched, contextMark });
      await store.sessions.update("claude", "session-1", { contextMark: null });
      expect(await sessionOf(store, "claude", "session-1")).toEqual(untouched);
    });

    test("adds touched files, the latest last", async () => {
      const store = await freshStore();
      await store.sessions.update("claude", "session-1", { touchedFiles: ["a.ts", "b.ts", "ä \n\ud800.ts"] });
      await store.sessions.update("claude", "session-1", { touchedFiles: ["a.ts", "c.ts"], readUpTo: 7 });
      expect(await sessionOf(store, "claude", "session-1")).toEqual({
        ...untouched,
        readUpTo: 7,
        touchedFiles: ["b.ts", "ä \n\ud800.ts", "a.ts", "c.ts"],
      });
    });

    test("keeps the newest 5000 touched files", async () => {
      const store = await freshStore();
      const files = Array.from({ length: 5000 }, (_, number) => `${number}.ts`);
      await store.sessions.update("claude", "session-1", { touchedFiles: files });
      await store.sessions.update("claude", "session-1", { touchedFiles: ["0.ts", "new.ts"] });
      const session = await sessionOf(store, "claude", "session-1");
      expect(session?.touchedFiles).toEqual([...files.slice(2), "0.ts", "new.ts"]);
    });
  });
});
