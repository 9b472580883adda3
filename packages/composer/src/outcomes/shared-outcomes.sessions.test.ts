import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { readTurn } from "@agent-checkpoint/heuristics";
import { openStore, type Outcome, type Store, type StoredStop } from "@agent-checkpoint/store";
import { type AgentName, extractToolCallsCurrentTurn, type PastTurn, readTurns } from "@agent-checkpoint/transcript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assembleCheckpoint } from "../assemble-checkpoint.ts";
import { findProject } from "../find-project.ts";
import { withRepository } from "../get-checkpoint-content.ts";
import { MESSAGE_PREFIX } from "../message/texts.ts";
import { firedAt, judgeSaid } from "./judge-outcomes.ts";
import { settleOutcomes } from "./settle-outcomes.ts";

/** Sessions of others, which stand beside the repository, if anywhere. */
const SHARED = fileURLToPath(new URL("../../../../../shared", import.meta.url));

interface Session {
  readonly file: string;
  readonly agent: AgentName;
  readonly project: string;
  /** Where the turns begin that are looked at; all of them if there is none. */
  readonly turns: readonly number[];
}

const linesOf = (path: string): readonly unknown[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
    : [];

interface Label {
  readonly transcript: string;
  readonly agent: AgentName;
  readonly project: string;
  readonly prompt_offset: number;
}

const labels = linesOf(join(SHARED, "verdicts", "labels.jsonl")) as readonly Label[];
const labelled: readonly Session[] = [...new Set(labels.map(({ transcript }) => transcript))].flatMap((file) => {
  const own = labels.filter(({ transcript }) => transcript === file);
  const [{ agent, project }] = own as [Label];
  return [{ file: join("verdicts", file), agent, project, turns: own.map((label) => label.prompt_offset) }];
});
const truths = linesOf(join(SHARED, "transcripts", "truth.jsonl")) as readonly Pick<Session, "file" | "agent">[];
const shared: readonly Session[] = truths.map(({ file, agent }) => ({
  file: join("transcripts", file),
  agent,
  project: "/",
  turns: [],
}));
const isMissing = labelled.length === 0 || shared.length === 0;
if (isMissing) console.warn(`Outcomes are not compared with whole transcripts: ${SHARED} is missing.`);

const BLOCKED_AT = new Date("2026-03-02T12:00:00Z");
const NOW = new Date("2026-03-12T12:00:00Z");

/** A block at some point of a real turn, which then went on without knowing of it. */
interface Block {
  readonly turn: PastTurn;
  readonly isLast: boolean;
  readonly readUpTo: number;
}

/**
 * Blocks real turns somewhere in the middle, has them settled by what the store keeps of the stop, and judges the same
 * by reading copies of the transcript whole, as it was at the block and at the end of the turn.
 */
describe.skipIf(isMissing)("what the rows say became of a block is what the whole transcript says", () => {
  let folder = "";
  const counts: Record<string, number> = {};
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "shared-outcomes-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.for([...labelled, ...shared])("$file", async ({ file, agent, project, turns }, context) => {
    const bytes = gunzipSync(readFileSync(join(SHARED, file)));
    const own = mkdtempSync(join(folder, "session-"));
    const home = join(own, "home");
    mkdirSync(home);
    // Every file asks for tests, whatever is known of the repository.
    const everything = { id: "everything", include: ["**"], tests: true };
    writeFileSync(join(home, "config.json"), JSON.stringify({ preset: "generic", categories: [everything] }));
    const path = join(own, basename(file, ".gz"));
    writeFileSync(path, bytes);
    const all = [...readTurns(path, agent, { ownMessages: [MESSAGE_PREFIX] })];
    const blocks = all.flatMap((turn, index): readonly Block[] =>
      turns.length > 0 && !turns.includes(turn.from)
        ? []
        : placesIn(bytes, turn, path).map((readUpTo) => ({ turn, isLast: index === all.length - 1, readUpTo })),
    );
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const { store } = opened;
    const expected: Pick<Outcome, "stopId" | "rule" | "outcome" | "why">[] = [];
    try {
      for (const block of blocks.slice(0, MAX_BLOCKS))
        expected.push(...(await judgeWhole(block, { bytes, path, agent, project, home, store })));
      await settleOutcomes(store, { home, now: NOW });
      const rows = await store.outcomes.list();
      expect(rows.map(({ stopId, rule, outcome, why }) => ({ stopId, rule, outcome, why })).toSorted(byStop)).toEqual(
        expected.toSorted(byStop),
      );
    } finally {
      await store.close();
      rmSync(own, { recursive: true, force: true });
    }
    for (const { outcome } of expected) counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (expected.length === 0) context.skip("nothing in it would have been asked for");
  });

  test("all kinds of outcomes were among them", () => {
    expect(Object.keys(counts).toSorted()).toEqual(["done", "ignored", "partly", "unknown"]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
  });
});

const byStop = (one: { stopId: number; rule: string }, other: { stopId: number; rule: string }) =>
  one.stopId - other.stopId || one.rule.localeCompare(other.rule);

/** Of a long session, enough. */
const MAX_BLOCKS = 12;

/** The ends of lines a third and two thirds into a turn, and the end of the turn, where the transcript has lines. */
function placesIn(bytes: Buffer, { from, to }: PastTurn, path: string): readonly number[] {
  if (!path.endsWith(".jsonl")) return [to];
  const ends = [1 / 3, 2 / 3].map((share) => bytes.indexOf("\n", from + Math.floor((to - from) * share)) + 1);
  return [...new Set([...ends.filter((end) => end > from && end < to), to])];
}

interface Place {
  readonly bytes: Buffer;
  readonly path: string;
  readonly agent: AgentName;
  readonly project: string;
  readonly home: string;
  readonly store: Store;
}

/** Records a block if the turn so far would have been asked for something, and judges what became of it. */
async function judgeWhole(
  { turn, isLast, readUpTo }: Block,
  { bytes, path, agent, project, home, store }: Place,
): Promise<readonly Pick<Outcome, "stopId" | "rule" | "outcome" | "why">[]> {
  const { root, aliases, rules } = await findProject(project, home);
  const place = { projectPath: root, projectAliases: [...aliases, project] };
  const callsUpTo = async (end: number) => {
    const copy = `${path.replace(/\.jsonl?$/, "")}-copy.${path.endsWith(".jsonl") ? "jsonl" : "json"}`;
    writeFileSync(copy, bytes.subarray(0, end));
    const timeline = await extractToolCallsCurrentTurn(copy, agent, { ownMessages: [MESSAGE_PREFIX] });
    rmSync(copy);
    return timeline.hasData && timeline.prompt?.offset === turn.from ? timeline.toolCalls : null;
  };
  const [before, whole] = [await callsUpTo(readUpTo), await callsUpTo(turn.to)];
  // A copy that ends in the middle of what the format needs shows another turn: that is no stop.
  if (before === null || whole === null) return [];
  const files = [...new Set(readTurn({ toolCalls: before }, place).changes.map(({ file }) => file))];
  const facts = await withRepository(
    {
      rules,
      changed: { ok: true as const, files },
      timeline: { hasData: true as const, toolCalls: before, prompt: { timestamp: null }, isWhole: true },
      place,
      workingSlug: null,
      plan: null,
      promptAt: null,
      now: BLOCKED_AT,
    },
    home,
  );
  const { deliver, reason, result } = assembleCheckpoint(facts);
  if (!deliver || result === null) return [];
  const name = `${turn.from}-${readUpTo}`;
  await store.stops.claimBlock({
    agent,
    sessionId: "session",
    turns: [name],
    at: BLOCKED_AT,
    stop: {
      projectPath: project,
      reason,
      actions: result.actions.map(({ id }) => id),
      observations: result.findings,
      durationMs: 1,
      trail: {
        transcriptPath: path,
        turnStart: turn.from,
        readUpTo,
        promptAt: null,
        changedFiles: files,
        changedFileCount: files.length,
        workingSlug: null,
      },
    },
  });
  const [stop] = (await store.stops.list({ limit: 1 })) as [StoredStop];
  const isCutShort = turn.ending.kind === "interrupted" || turn.ending.kind === "failed" || isLast;
  const judged = { stop, rules, place, home };
  const judgements = await judgeSaid(firedAt(stop), judged, { before, whole, said: [], isCutShort });
  return judgements.map(({ rule, outcome, why }) => ({ stopId: stop.id, rule, outcome, why }));
}
