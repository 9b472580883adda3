import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SECRET_TEXTS, traceOf } from "../../redaction/src/testing/secret-texts.ts";
import { appendLog } from "./log.ts";
import { anObservation, aStop } from "./testing/a-stop.ts";
import { openedStore, sessionOf, snoozeStops } from "./testing/opened-store.ts";
import { temporaryHome } from "./testing/temporary-home.ts";

/** The files of a home that hold one of the texts. */
const holders = (home: string, texts: readonly string[]) =>
  readdirSync(home).filter((name) => {
    const bytes = readFileSync(join(home, name), "latin1");
    return texts.some((text) => bytes.includes(text));
  });

const TEXTS = SECRET_TEXTS.map(({ text }) => text);
const TRACES = SECRET_TEXTS.map(traceOf);
/** What every text leaves behind when its secret is gone. */
const MARKER = ["[redacted]"];
const AT = new Date("2026-01-01T12:00:00Z");

test("the log keeps no secret, wherever it is cut", () => {
  const home = temporaryHome();
  for (const text of TEXTS) {
    appendLog(home, { level: "warn", event: "x", detail: text, [text]: 1 });
    appendLog(home, { level: "warn", event: "x", detail: `${"a ".repeat(1010)}${text}` });
  }
  expect(holders(home, MARKER)).toEqual(["checkpoint.log"]);
  expect(holders(home, TRACES)).toEqual([]);
});

test("no column of the database keeps a secret", async () => {
  const home = temporaryHome();
  const store = await openedStore(home);
  for (const text of TEXTS) {
    const [agent, sessionId] = ["claude", text] as const;
    const trail = {
      transcriptPath: text,
      turnStart: 1,
      readUpTo: 2,
      promptAt: AT,
      changedFiles: [text, `"${text}"`],
      changedFileCount: 2,
      workingSlug: text,
    };
    const stop = aStop({ sessionId, projectPath: text, turn: text, reason: text, save: text, trail });
    await store.stops.record({
      ...stop,
      observations: [anObservation(text), anObservation(`\n${text}`)],
      actions: [text],
    });
    await store.sessions.prompt({
      agent,
      sessionId,
      projectPath: text,
      transcriptPath: text,
      turn: text,
      at: AT,
      baseline: { [text]: "1" },
    });
    await store.sessions.update(agent, sessionId, { workingSlug: text, touchedFiles: [text] });
    await store.stops.claimBlock({ agent, sessionId, turns: [text], at: AT, stop });
    await store.saves.record({
      agent,
      sessionId,
      projectPath: text,
      at: AT,
      trigger: "stop",
      outcome: text,
      percent: 1,
      commit: text,
      checkpoint: text,
      files: [text],
      leftOut: { [text]: text },
      section: text,
      detail: text,
      durationMs: 1,
    });
    await snoozeStops(store, {
      scope: { kind: "project", projectPath: text },
      from: AT,
      until: AT,
      reason: text,
      madeBy: text,
      madeIn: text,
    });
  }
  expect(holders(home, MARKER)).toContain("checkpoint.db-wal");
  expect(holders(home, TRACES)).toEqual([]);
});

test("what was written with a secret in its name is found by that name", async () => {
  const store = await openedStore(temporaryHome());
  const sessionId = "FOO_TOKEN=hunter2-Correct";
  await store.sessions.update("claude", sessionId, { workingSlug: 'a "b" DB_PASSWORD="x y"', touchedFiles: ["a\nb"] });
  expect(await sessionOf(store, "claude", sessionId)).toMatchObject({
    sessionId: "FOO_TOKEN=[redacted]",
    workingSlug: 'a "b" DB_PASSWORD="[redacted]"',
    touchedFiles: ["a\nb"],
  });
});
