import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { damagedBytes } from "../../../../fixtures/src/fuzzing/damaged-bytes.ts";
import { damagedJson } from "../../../../fixtures/src/fuzzing/damaged-json.ts";
import { fuzz, FUZZING } from "../../../../fixtures/src/fuzzing/fuzz.ts";
import { hostileJson, hostileKey } from "../../../../fixtures/src/fuzzing/hostile-json.ts";
import type { PhasePatch } from "../document/schema.ts";
import { checkDocument } from "../document/stamp-document.ts";
import { parseFileName } from "../names.ts";
import { openPhases } from "../open-phases.ts";
import { readDocument } from "./stored-document.ts";

import fc from "fast-check";

const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoint-phases-fuzz-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const state = join(root, ".claude", "state");
mkdirSync(state, { recursive: true });
const path = join(state, "implement-checkpoint.json");
const key = { command: "implement", feature: null } as const;

const AT = "2026-01-31T12:00:00.000Z";
const DOCUMENT = JSON.stringify({
  ...key,
  version: 1,
  revision: 3,
  head_commit: "a".repeat(40),
  base_commit: "b".repeat(40),
  started_at: AT,
  updated_at: AT,
  completed_at: null,
  state: { current_phase: "build", completed_phases: ["plan"], pending_phases: ["test"] },
  phases: {
    plan: {
      status: "complete",
      started_at: AT,
      updated_at: AT,
      context_summary: "Planned.",
      files_created: ["plan.md"],
    },
    build: { status: "in_progress", started_at: AT, files_modified: ["a.ts"], error: null },
    test: { status: "pending" },
  },
  gate: { ship_allowed: false, blockers: ["tests"], head_commit: "a".repeat(40) },
  events: [{ at: AT, phase: "plan", status: "complete", head_commit: null }],
  own: { field: [1, 2] },
});

const toLatin1 = (text: string): string => Buffer.from(text).toString("latin1");

/** One character a byte, so that a counterexample can be read. */
const texts = fc.oneof(
  { arbitrary: damagedJson(DOCUMENT).map(toLatin1), weight: 4 },
  { arbitrary: damagedBytes(Buffer.from(DOCUMENT)).map((bytes) => bytes.toString("latin1")), weight: 2 },
  { arbitrary: hostileJson.map(toLatin1), weight: 1 },
  // An old one, whose phases are only in its lists.
  {
    arbitrary: fc
      .tuple(hostileJson, hostileJson)
      .map(([one, other]) => toLatin1(`{"phases":${one},"state":{"pending_phases":${other},"current_phase":${one}}}`)),
    weight: 1,
  },
);

test(
  "any file is a checkpoint, or it is said why not",
  FUZZING,
  fuzz({ quick: 150, long: 8000 }, texts, (text) => {
    writeFileSync(path, text, "latin1");
    const read = readDocument(path, key);
    if (read.status === "missing") throw new Error("it is there");
    const isTold = read.status === "ok" ? checkDocument({ ...read.checkpoint }).ok : read.why !== "";
    if (!isTold) throw new Error(`neither a checkpoint nor a reason: ${JSON.stringify(read).slice(0, 500)}`);
  }),
);

const phases = openPhases({ root, logError: () => undefined });

test(
  "no call throws, whatever lies there and whatever it is given",
  FUZZING,
  fuzz(
    { quick: 9, long: 600 },
    fc.record({ text: texts, phase: hostileKey, patch: hostileJson }),
    ({ text, phase, patch }) => {
      writeFileSync(path, text, "latin1");
      const given: unknown = JSON.parse(patch);
      const calls = [
        phases.loadCheckpoint("implement"),
        phases.getResumePoint("implement"),
        phases.updatePhase("implement", phase, given as PhasePatch),
        phases.updatePhase("implement", "build", { status: "complete", ...(given as object) }),
        phases.saveCheckpoint("implement", given as never),
        phases.completeCheckpoint("implement"),
      ];
      expect(calls).not.toContain(undefined);
    },
  ),
);

test(
  "one file cannot hide another",
  FUZZING,
  fuzz({ quick: 30, long: 1500 }, texts, (text) => {
    writeFileSync(path, text, "latin1");
    writeFileSync(join(state, "ship-checkpoint.json"), DOCUMENT.replace('"implement"', '"ship"'));
    const listed = phases.listCheckpoints();
    expect(listed.map(({ command }) => command)).toContain("ship");
  }),
);

test(
  "any name of a file is one of ours or not",
  FUZZING,
  fuzz(
    { quick: 300, long: 6000 },
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string().map((text) => `ship-${text}.json`),
      fc.webPath().map((text) => `ship-${encodeURIComponent(text)}.json`),
    ),
    (name) => {
      const found = parseFileName(name);
      if (found !== null && found.command !== "ship" && !name.startsWith(found.command))
        throw new Error(`${name} is not one`);
    },
  ),
);
