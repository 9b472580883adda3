import { describe, expect, test } from "vitest";
import type { CommandName } from "./commands.ts";
import { type CheckpointInput, PHASE_STATUSES, type PhasePatch, type PhaseStatus } from "./document/schema.ts";
import { aProject, plainProject } from "./testing/a-project.ts";

const FILE = "implement-checkpoint.json";

/** A clock that goes on by a second with every look. */
function clock() {
  let time = Date.parse("2026-01-01T12:00:00.000Z");
  return () => new Date((time += 1000));
}
const at = (second: number) => new Date(Date.parse("2026-01-01T12:00:00.000Z") + second * 1000).toISOString();

/** A value none of whose parts can be changed. */
function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

test("a command from its first phase to its end", () => {
  const project = aProject({ now: clock() });
  const head = project.git("rev-parse", "HEAD");
  expect(project.loadCheckpoint("implement")).toBeNull();
  expect(project.getResumePoint("implement")).toEqual({ phase: null, summary: null });
  expect(project.updatePhase("implement", "build", { status: "in_progress" })).toBe(true);
  expect(project.updatePhase("implement", "build", { context_summary: "Half done.", files_created: ["a.ts"] })).toBe(
    true,
  );
  expect(project.updatePhase("implement", "build", { status: "complete", context_summary: "Built." })).toBe(true);
  expect(project.updatePhase("implement", "validate", { status: "in_progress" })).toBe(true);
  expect(project.getResumePoint("implement")).toEqual({ phase: "validate", summary: "Built." });
  expect(project.completeCheckpoint("implement")).toBe(true);
  expect(project.getResumePoint("implement")).toEqual({ phase: null, summary: null });
  expect(project.loadCheckpoint("implement")).toEqual({
    command: "implement",
    feature: null,
    version: 1,
    revision: 5,
    head_commit: head,
    base_commit: head,
    started_at: at(3),
    updated_at: at(8),
    completed_at: at(8),
    state: { current_phase: null, completed_phases: ["build", "validate"], pending_phases: [] },
    phases: {
      build: {
        status: "complete",
        started_at: at(3),
        updated_at: at(5),
        context_summary: "Built.",
        files_created: ["a.ts"],
      },
      validate: { status: "complete", started_at: at(6), updated_at: at(8) },
    },
    events: [
      { at: at(3), phase: null, status: "in_progress", head_commit: head },
      { at: at(3), phase: "build", status: "in_progress", head_commit: head },
      { at: at(5), phase: "build", status: "complete", head_commit: head },
      { at: at(6), phase: "validate", status: "in_progress", head_commit: head },
      { at: at(8), phase: "validate", status: "complete", head_commit: head },
      { at: at(8), phase: null, status: "complete", head_commit: head },
    ],
  });
  expect({ lines: project.lines, last: project.getLastError() }).toEqual({ lines: [], last: null });
});

describe("every step of a phase", () => {
  /** Where the state says that a phase is, by its status. */
  const STATE: Readonly<Record<PhaseStatus, object>> = {
    pending: { current_phase: null, completed_phases: [], pending_phases: ["x"] },
    in_progress: { current_phase: "x", completed_phases: [], pending_phases: [] },
    complete: { current_phase: null, completed_phases: ["x"], pending_phases: [] },
    failed: { current_phase: null, completed_phases: [], pending_phases: [] },
    skipped: { current_phase: null, completed_phases: [], pending_phases: [] },
  };
  const steps = [undefined, ...PHASE_STATUSES].flatMap((from) =>
    PHASE_STATUSES.map((to) => ({ from, to, isRefused: from === "complete" && to !== "complete" })),
  );
  test.for(steps)("from $from to $to", ({ from, to, isRefused }) => {
    const project = plainProject();
    if (from !== undefined) project.updatePhase("design", "x", { status: from });
    expect(project.updatePhase("design", "x", { status: to })).toBe(!isRefused);
    expect(project.getLastError()?.code ?? null).toBe(isRefused ? "bad-step" : null);
    expect(project.loadCheckpoint("design")?.state).toEqual(STATE[isRefused ? "complete" : to]);
  });

  test.for(PHASE_STATUSES)("from complete to %s, reopened", (to) => {
    const project = plainProject();
    project.updatePhase("design", "x", { status: "complete" });
    expect(project.updatePhase("design", "x", { status: to, reopen: true })).toBe(true);
    const checkpoint = project.loadCheckpoint("design");
    expect(checkpoint?.state).toEqual(STATE[to]);
    expect(checkpoint?.phases["x"]).not.toHaveProperty("reopen");
  });

  test("a phase that is tried again has no error left, and keeps its start", () => {
    const project = plainProject({ now: clock() });
    project.updatePhase("design", "x", { status: "in_progress" });
    project.updatePhase("design", "x", { status: "failed", error: "no network" });
    expect(project.loadCheckpoint("design")?.phases["x"]).toMatchObject({ status: "failed", error: "no network" });
    project.updatePhase("design", "x", { status: "in_progress" });
    expect(project.loadCheckpoint("design")?.phases["x"]).toEqual({
      status: "in_progress",
      started_at: at(1),
      updated_at: at(4),
    });
  });
});

describe("where a command goes on", () => {
  const phase = (status: PhaseStatus, summary?: string) => ({ status, context_summary: summary });
  const cases = [
    {
      name: "in the phase in progress",
      phases: { a: phase("failed"), b: phase("in_progress"), c: phase("pending") },
      point: ["b", null],
    },
    {
      name: "in the first that failed",
      phases: { a: phase("pending"), b: phase("failed"), c: phase("failed") },
      point: ["b", null],
    },
    {
      name: "in the first that waits",
      phases: { a: phase("complete", "A"), b: phase("skipped"), c: phase("pending"), d: phase("pending") },
      point: ["c", "A"],
    },
    {
      name: "with the nearest summary before it",
      phases: { a: phase("complete", "A"), b: phase("complete"), c: phase("in_progress", "own") },
      point: ["c", "A"],
    },
    {
      name: "with one after it if there is none before",
      phases: { a: phase("failed"), b: phase("complete", "B"), c: phase("complete", "C") },
      point: ["a", "B"],
    },
    {
      name: "not with the summary of a phase that failed",
      phases: { a: phase("failed", "A"), b: phase("pending") },
      point: ["a", null],
    },
    {
      name: "nowhere yet, when its phases are done and it is not",
      phases: { a: phase("complete", "A"), b: phase("complete", "B") },
      point: [null, "B"],
    },
    { name: "nowhere, without phases", phases: {}, point: [null, null] },
  ];
  test.for(cases)("$name", ({ phases, point: [next, summary] }) => {
    const project = plainProject();
    project.saveCheckpoint("research", { phases });
    expect(project.getResumePoint("research")).toEqual({ phase: next, summary });
  });

  test("nowhere, when it is done, whatever became of its phases", () => {
    const project = plainProject();
    const phases = { a: phase("complete", "A"), b: phase("failed"), c: phase("in_progress"), d: phase("pending") };
    project.saveCheckpoint("research", { phases });
    expect(project.completeCheckpoint("research")).toBe(true);
    expect(project.getResumePoint("research")).toEqual({ phase: null, summary: null });
    const { state, phases: after = {} } = project.loadCheckpoint("research") ?? {};
    expect(state).toEqual({ current_phase: null, completed_phases: ["a", "c"], pending_phases: [] });
    expect(Object.values(after).map(({ status }) => status)).toEqual(["complete", "failed", "complete", "skipped"]);
  });
});

describe("a command that is done", () => {
  function done() {
    const project = plainProject({ now: clock() });
    project.saveCheckpoint("ship", {
      phases: { preflight: { status: "in_progress" }, push: {} },
      gate: GATE,
      team: "ops",
    });
    project.completeCheckpoint("ship");
    return project;
  }
  const GATE = { ship_allowed: true, blockers: [], head_commit: null };

  test("begins anew with the next work, and keeps its history", () => {
    const project = done();
    const before = project.loadCheckpoint("ship");
    expect(project.updatePhase("ship", "preflight", { status: "in_progress" })).toBe(true);
    const after = project.loadCheckpoint("ship");
    expect(after).toMatchObject({
      team: "ops",
      revision: 3,
      state: { current_phase: "preflight", pending_phases: [] },
    });
    expect(after?.completed_at ?? after?.gate).toBeUndefined();
    expect(after?.events.slice(0, -2)).toEqual(before?.events);
    expect(after?.events.slice(-2)).toMatchObject([{ phase: null, status: "in_progress" }, { phase: "preflight" }]);
  });

  test("can still be added to", () => {
    const project = done();
    const before = project.loadCheckpoint("ship");
    expect(project.updatePhase("ship", "preflight", { context_summary: "late" })).toBe(true);
    expect(project.loadCheckpoint("ship")).toMatchObject({
      completed_at: before?.completed_at,
      phases: { preflight: { status: "complete", context_summary: "late" } },
    });
  });

  test("goes on in the same run when a phase is reopened", () => {
    const project = done();
    expect(project.updatePhase("ship", "push", { status: "in_progress", reopen: true })).toBe(true);
    expect(project.getResumePoint("ship").phase).toBe("push");
    expect(project.loadCheckpoint("ship")?.phases["preflight"]?.status).toBe("complete");
  });

  test("stays done when that is said again", () => {
    const project = done();
    const before = project.loadCheckpoint("ship");
    expect(project.completeCheckpoint("ship")).toBe(true);
    expect(project.loadCheckpoint("ship")?.completed_at).toBe(before?.completed_at);
    expect(project.loadCheckpoint("ship")?.events).toEqual(before?.events);
  });

  test("cannot be one that was never begun", () => {
    const project = plainProject();
    expect(project.completeCheckpoint("ship")).toBe(false);
    expect(project.getLastError()?.code).toBe("no-checkpoint");
    expect(project.listCheckpoints()).toEqual([]);
  });
});

describe("saving a whole checkpoint", () => {
  test("fills in what is left out, and derives the state", () => {
    const project = aProject({ now: clock() });
    const state = { current_phase: "wrong", completed_phases: [], pending_phases: ["b", "c"], current_task: "T2" };
    expect(project.saveCheckpoint("implement", { phases: { a: { status: "complete" } }, state })).toBe(true);
    expect(project.loadCheckpoint("implement")).toMatchObject({
      command: "implement",
      version: 1,
      revision: 1,
      started_at: at(1),
      state: { current_phase: "wrong", completed_phases: ["a"], pending_phases: ["b", "c"], current_task: "T2" },
    });
  });

  test("phases that only the lists name are kept, in the order of the lists", () => {
    const project = plainProject();
    const state = { current_phase: "build", completed_phases: ["research", "design"], pending_phases: ["validate"] };
    project.saveCheckpoint("implement", {
      state,
      phases: { research: { status: "complete" }, build: { status: "in_progress" } },
    });
    const phases = project.loadCheckpoint("implement")?.phases ?? {};
    expect(Object.entries(phases).map(([name, { status }]) => `${name} ${status}`)).toEqual([
      "research complete",
      "design complete",
      "build in_progress",
      "validate pending",
    ]);
  });

  test("keeps fields that nobody knows, at every level, through loading, saving and updating", () => {
    const project = plainProject();
    const mine = JSON.parse(`{"deep":[{"__proto__":{"polluted":true}}]}`);
    project.saveCheckpoint("ship", {
      mine,
      phases: { a: { status: "in_progress", mine } },
      state: { mine },
      gate: { ship_allowed: false, blockers: [], mine },
    });
    project.updatePhase("ship", "a", { status: "complete" });
    project.saveCheckpoint("ship", project.loadCheckpoint("ship") ?? {});
    const stored = JSON.parse(project.read("ship-checkpoint.json"));
    for (const place of [stored, stored.phases.a, stored.state, stored.gate]) expect(place.mine).toStrictEqual(mine);
    expect(Object.hasOwn(stored.mine.deep[0], "__proto__")).toBe(true);
    expect(Object.getOwnPropertyDescriptor(Object.prototype, "polluted")).toBeUndefined();
  });

  test("never changes the caller's objects", () => {
    const project = aProject();
    const checkpoint = frozen({ phases: { a: { status: "in_progress" as const, files_created: ["x"] } } });
    expect(project.saveCheckpoint("start", checkpoint)).toBe(true);
    expect(project.updatePhase("start", "a", frozen({ status: "complete" as const, files_modified: ["y"] }))).toBe(
      true,
    );
    expect(project.saveCheckpoint("start", frozen(project.loadCheckpoint("start") ?? {}))).toBe(true);
  });

  test("shares nothing with the caller's objects", () => {
    const project = plainProject();
    const files = ["x"];
    project.updatePhase("start", "a", { files_created: files });
    files.push("y");
    expect(project.loadCheckpoint("start")?.phases["a"]?.files_created).toEqual(["x"]);
  });

  test("is refused when somebody else has saved since it was loaded", () => {
    const project = plainProject();
    project.updatePhase("implement", "a", { status: "in_progress" });
    const mine = project.loadCheckpoint("implement") ?? {};
    project.updatePhase("implement", "b", { status: "in_progress" });
    expect(project.saveCheckpoint("implement", mine)).toBe(false);
    expect(project.getLastError()).toEqual({
      code: "conflict",
      message: "`implement` was saved by another process (revision 2, yours is 1): load it again",
    });
    expect(Object.keys(project.loadCheckpoint("implement")?.phases ?? {})).toEqual(["a", "b"]);
  });

  test("may be done again with the object that was saved, until somebody else saves", () => {
    const project = plainProject();
    const mine = { phases: { a: { status: "pending" as PhaseStatus } } };
    expect(project.saveCheckpoint("implement", mine)).toBe(true);
    mine.phases.a.status = "complete";
    expect(project.saveCheckpoint("implement", mine)).toBe(true);
    expect(project.lines).toEqual([]);
    project.updatePhase("implement", "b", {});
    expect(project.saveCheckpoint("implement", mine)).toBe(false);
  });

  test("without a revision replaces what is there, and says so", () => {
    const project = plainProject();
    project.updatePhase("implement", "a", {});
    expect(project.saveCheckpoint("implement", { phases: { b: {} } })).toBe(true);
    expect(project.lines).toEqual(["`implement` was saved without its revision: what others have saved is replaced"]);
    expect(project.loadCheckpoint("implement")?.revision).toBe(2);
  });
});

describe("what cannot be", () => {
  const long = "x".repeat(300);
  const names = [
    "banana",
    "__proto__",
    "constructor",
    "IMPLEMENT",
    "",
    long,
    "..",
    "../implement",
    "implement\n",
    null,
    7,
    {},
  ];
  test.for(names)("a command %j", (name) => {
    const project = plainProject();
    const command = name as CommandName;
    expect(project.updatePhase(command, "a", {})).toBe(false);
    expect(project.getLastError()?.code).toBe("bad-name");
    expect(project.saveCheckpoint(command, {})).toBe(false);
    expect(project.loadCheckpoint(command)).toBeNull();
    expect(project.completeCheckpoint(command)).toBe(false);
    expect(project.getResumePoint(command)).toEqual({ phase: null, summary: null });
    expect(project.lines).toHaveLength(5);
    expect(project.listCheckpoints()).toEqual([]);
  });

  const features = ["", " ", "__proto__", "..", ".", long, "漢".repeat(100), "a\nb", "a\u0000b", "\ud800", 7, {}, []];
  test.for(features)("a feature %j", (name) => {
    const project = plainProject();
    expect(project.updatePhase("implement", "a", {}, name as string)).toBe(false);
    expect(project.getLastError()?.code).toBe("bad-name");
    expect(project.loadCheckpoint("implement", name as string)).toBeNull();
    expect(project.listCheckpoints()).toEqual([]);
  });

  const phases = ["", "__proto__", "constructor", "prototype", "..", "1", "0", " a", "a\nb", long, "_a", "-a"];
  test.for(phases)("a phase %j", (name) => {
    const project = plainProject();
    expect(project.updatePhase("implement", name, {})).toBe(false);
    expect(project.getLastError()?.code).toBe("bad-name");
    expect(project.saveCheckpoint("implement", { phases: Object.fromEntries([[name, {}]]) })).toBe(false);
    expect(project.getLastError()?.code).toBe("invalid");
    expect(project.listCheckpoints()).toEqual([]);
  });

  test.for([null, undefined, 7, {}, ["a"]])("a phase %j", (name) => {
    expect(plainProject().updatePhase("implement", name as string, {})).toBe(false);
  });

  const patches = [
    { status: "banana" },
    { status: null },
    { status: ["complete"] },
    { files_created: "a.ts" },
    { files_created: [1] },
    { error: 7 },
    { started_at: "yesterday" },
    { context_summary: { a: 1 } },
    { context_summary: ["a"] },
  ];
  test.for(patches)("a patch %j", (patch) => {
    const project = plainProject();
    project.updatePhase("implement", "a", { status: "in_progress" });
    const before = project.read(FILE);
    expect(project.updatePhase("implement", "a", patch as PhasePatch)).toBe(false);
    expect(project.saveCheckpoint("implement", { phases: { a: patch as PhasePatch } })).toBe(false);
    expect(project.read(FILE)).toBe(before);
    expect(project.names()).toEqual([FILE]);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const throwing = Object.defineProperty({}, "status", { enumerable: true, get: () => JSON.parse("{") });
  test.for([null, undefined, "complete", 7, [], cyclic, throwing, 10n, () => 1])(
    "a patch or checkpoint: case %#",
    (value) => {
      const project = plainProject();
      expect(project.updatePhase("implement", "a", value as PhasePatch)).toBe(false);
      expect(project.getLastError()?.code).toBe("invalid");
      expect(project.saveCheckpoint("implement", value as CheckpointInput)).toBe(false);
      expect(project.listCheckpoints()).toEqual([]);
    },
  );

  const checkpoints = [
    { command: "ship" },
    { feature: "other" },
    { version: 2 },
    { version: "1" },
    { phases: [] },
    { phases: "none" },
    { phases: { a: [] } },
    { phases: { a: "complete" } },
    { state: [] },
    { gate: { ship_allowed: "yes", blockers: [] } },
    { gate: [] },
    { revision: -1.5 },
    { events: {} },
    { started_at: "yesterday" },
  ];
  test.for(checkpoints)("a checkpoint %j", (checkpoint) => {
    const project = plainProject();
    expect(project.saveCheckpoint("implement", checkpoint as CheckpointInput)).toBe(false);
    expect(project.getLastError()?.code).toBe("invalid");
    expect(project.listCheckpoints()).toEqual([]);
  });
});

describe("the limit of a summary", () => {
  const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
  const cases = [
    { name: "500 tokens", summary: words(500), error: null },
    { name: "501 tokens", summary: words(501), error: "Context summary exceeds 500 token limit (actual: 501 tokens)" },
    {
      name: "one long word",
      summary: "x".repeat(20_000),
      error: "Context summary exceeds 1500 estimated tokens (estimated: 2500 tokens)",
    },
    {
      name: "CJK",
      summary: "漢".repeat(3000),
      error: "Context summary exceeds 1500 estimated tokens (estimated: 3000 tokens)",
    },
  ];
  test.for(cases)("$name", ({ summary, error }) => {
    const project = plainProject();
    project.updatePhase("implement", "a", { status: "in_progress" });
    const before = project.read(FILE);
    const isKept = error === null;
    const message = isKept ? undefined : `phase \`a\`: ${error}`;
    expect(project.updatePhase("implement", "a", { context_summary: summary })).toBe(isKept);
    expect(project.getLastError()?.message).toBe(message);
    expect(project.saveCheckpoint("implement", { phases: { a: { context_summary: summary } } })).toBe(isKept);
    expect(project.getLastError()?.message).toBe(message);
    expect(project.read(FILE) === before).toBe(!isKept);
  });

  test("every summary is looked at, not only the one that changes", () => {
    const project = plainProject();
    project.write(FILE, { version: 1, phases: { a: { status: "complete", context_summary: words(501) } } });
    const before = project.read(FILE);
    expect(project.updatePhase("implement", "b", { status: "in_progress" })).toBe(false);
    expect(project.getLastError()?.code).toBe("too-long");
    expect(project.read(FILE)).toBe(before);
    expect(project.getResumePoint("implement").summary).toBeNull();
  });

  test("a checkpoint of a megabyte is not kept", () => {
    const project = plainProject();
    expect(project.saveCheckpoint("implement", { mine: "x".repeat(1024 * 1024) })).toBe(false);
    expect(project.getLastError()?.code).toBe("too-long");
    expect(project.names()).toEqual([]);
  });
});
