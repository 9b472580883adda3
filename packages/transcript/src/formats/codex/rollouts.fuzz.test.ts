import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { damagedLines } from "../../../../../fixtures/src/fuzzing/damaged-lines.ts";
import { fuzz, FUZZING } from "../../../../../fixtures/src/fuzzing/fuzz.ts";
import { hostileJson } from "../../../../../fixtures/src/fuzzing/hostile-json.ts";
import { followRollout, type RolloutPosition } from "./follow-rollout.ts";
import { parseRolloutLine, type RolloutEvent } from "./rollout-events.ts";
import { readRecording, RECORDINGS, SUB_AGENT } from "./testing/recordings.ts";

const folder = mkdtempSync(join(tmpdir(), "rollouts-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "rollout.jsonl");

/** Follows the file from a position, and looks at what that gives. */
const follow = (since: RolloutPosition | number): { events: readonly RolloutEvent[]; position: RolloutPosition } => {
  const reading = followRollout(path, since);
  if (reading.status === "refused") throw new Error(reading.reason);
  const { events, position } = reading;
  const isWellFormed =
    position.lineStart <= position.scannedTo &&
    events.every((event) => event.type === "thread" || event.turnId === null || typeof event.turnId === "string") &&
    events.every((event) => !("at" in event) || event.at === null || !Number.isNaN(event.at.getTime()));
  if (!isWellFormed) throw new Error(`not well-formed: ${JSON.stringify(reading).slice(0, 500)}`);
  return reading;
};

/** Writes the bytes in pieces, and gives what was told on the way. */
const tell = (bytes: Buffer, cuts: readonly number[]): readonly RolloutEvent[] => {
  writeFileSync(path, "");
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((one, other) => one - other);
  let from = 0;
  let since: RolloutPosition | number = 0;
  return places.flatMap((to) => {
    appendFileSync(path, bytes.subarray(from, to));
    from = to;
    const { events, position } = follow(since);
    since = position;
    return events;
  });
};

const recordings = [...RECORDINGS, SUB_AGENT].map(readRecording);
const damaged = fc.constantFrom(...recordings).chain((bytes) => damagedLines(bytes));
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test(
  "a damaged rollout tells the same in whatever pieces it is written",
  FUZZING,
  fuzz({ quick: 45, long: 4000 }, fc.record({ bytes: damaged, cuts }), ({ bytes, cuts: places }) => {
    expect(tell(bytes, places)).toEqual(tell(bytes, []));
  }),
);

/** Something that happens to a file that is followed. */
type Happening =
  | { readonly kind: "grows" | "is replaced" | "is written over"; readonly bytes: Buffer }
  | { readonly kind: "is cut off"; readonly at: number };

const happenings: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({
        kind: fc.constantFrom("grows" as const, "grows" as const, "is replaced" as const, "is written over" as const),
        bytes: fc
          .tuple(fc.oneof(fc.constantFrom(...recordings), damaged), fc.nat(), fc.nat())
          .map(([bytes, from, length]) => bytes.subarray(from % bytes.length, (from % bytes.length) + (length % 5000))),
      }),
      weight: 4,
    },
    { arbitrary: fc.record({ kind: fc.constant("is cut off" as const), at: fc.nat() }), weight: 1 },
  ),
  { minLength: 1, maxLength: 6 },
);

const happen = (happening: Happening, size: number): void => {
  if (happening.kind === "is cut off") return truncateSync(path, happening.at % (size + 1));
  if (happening.kind === "grows") return appendFileSync(path, happening.bytes);
  if (happening.kind === "is written over") return writeFileSync(path, happening.bytes);
  writeFileSync(`${path}.new`, happening.bytes);
  return renameSync(`${path}.new`, path);
};

test(
  "a rollout is followed through whatever happens to it, and tells nothing when nothing has happened",
  FUZZING,
  fuzz(
    { quick: 45, long: 4000 },
    fc.record({ start: fc.constantFrom(...recordings), since: fc.constantFrom(0, 1000, Infinity), happenings }),
    ({ start, since, happenings: all }) => {
      writeFileSync(path, start);
      let position = follow(since).position;
      for (const happening of all) {
        happen(happening, position.scannedTo);
        ({ position } = follow(position));
      }
      const last = follow(position);
      expect(last).toMatchObject({ events: [], position });
    },
  ),
);

test(
  "any line is read",
  FUZZING,
  fuzz(
    { quick: 150, long: 6000 },
    fc.oneof(
      hostileJson,
      damaged.map((bytes) => bytes.toString("utf8").split("\n").at(-2) ?? ""),
      hostileJson.map((json) => `{"type":"event_msg","payload":{"type":"user_message","message":${json}}}`),
      hostileJson.map((json) => `{"type":"session_meta","timestamp":${json},"payload":{"id":"a","source":${json}}}`),
    ),
    (line) => {
      parseRolloutLine(line);
    },
  ),
);

test(
  "a rollout with one line over and over is followed",
  FUZZING,
  fuzz(
    { quick: 9, long: 200 },
    fc.tuple(fc.constantFrom(...recordings), fc.nat(), fc.constantFrom(10, 1000, 10_000)).map(([bytes, at, times]) => {
      const lines = bytes.toString("utf8").trimEnd().split("\n");
      const line = lines[at % lines.length] ?? "";
      return { line: line.length > 2000 ? "{}" : line, times };
    }),
    ({ line, times }) => {
      writeFileSync(path, `${line}\n`.repeat(times));
      follow(0);
      follow(Infinity);
    },
  ),
);
