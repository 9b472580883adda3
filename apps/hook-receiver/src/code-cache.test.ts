import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAM, reasonOf } from "./testing/hook-process.ts";
import { SILENCE, stageFault, type StagedFault } from "./testing/stage-fault.ts";

/** The files that a home holds compiled code of, each with its contents. */
function cachedIn({ home }: StagedFault): Readonly<Record<string, Buffer>> {
  const folder = join(home, "compile-cache");
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** The cached files by their names, and whether a run that went all the way has compiled them. */
function wholeIn(staged: StagedFault): Readonly<Record<string, boolean>> {
  const entries = Object.entries(cachedIn(staged)).map(([name, bytes]) => [
    name.replace(/^checkpoint-hook-|\.cjs$/g, ""),
    bytes.subarray(0, bytes.indexOf("\n")).toString("latin1").endsWith(" whole"),
  ]);
  return Object.fromEntries(entries) as Record<string, boolean>;
}

test("an event caches the code that it needs, and a stop that is blocked caches it for good", async () => {
  const staged = await stageFault();
  const home = join(staged.home, "..", "another-home");
  const other = { ...staged, home };
  const env = { CHECKPOINT_HOME: home };
  // Before there is a home, there is no place for a cache.
  expect(await staged.prompt({ env })).toEqual(SILENCE);
  expect(await staged.prompt({ env })).toEqual(SILENCE);
  expect(wholeIn(other)).toMatchObject({ main: false });
  expect(wholeIn(other)).not.toHaveProperty("judge");
  expect(reasonOf(await staged.stop({ env }))).toContain("make restart");
  expect(wholeIn(other)).toMatchObject({ main: true, judge: true });
  const first = cachedIn(other);
  const next = { env, event: { session_id: "next", prompt_id: "turn-next" } };
  expect(await staged.prompt(next)).toEqual(SILENCE);
  expect(reasonOf(await staged.stop(next))).toContain("make restart");
  expect(Object.entries(first).filter(([name, bytes]) => cachedIn(other)[name]?.equals(bytes) !== true)).toEqual([]);
});

const damages = [
  { damage: "a flipped bit", at: (length: number) => length - 5000 },
  { damage: "another state of the file", at: () => 3 },
];
test.for(damages)("$damage in cached code: the stop is judged, and the code compiled again", async ({ at }) => {
  const staged = await stageFault();
  await staged.stop();
  const folder = join(staged.home, "compile-cache");
  const damaged = Object.entries(cachedIn(staged)).map(([name, bytes]) => {
    const place = Math.max(0, at(bytes.length));
    bytes.writeUInt8(bytes.readUInt8(place) ^ 4, place);
    writeFileSync(join(folder, name), bytes);
    return { name, bytes };
  });
  const again = { event: { session_id: "again", prompt_id: "turn-again" } };
  expect(reasonOf(await staged.stop(again))).toContain("make restart");
  const mended = cachedIn(staged);
  expect(damaged.filter(({ name, bytes }) => mended[name]?.equals(bytes) !== false)).toEqual([]);
});

test("no file of the program imports at run time: the cache has nothing to load a module with", () => {
  const names = readdirSync(dirname(PROGRAM)).filter((name) => /^checkpoint-hook.*\.cjs$/.test(name));
  expect(names.length).toBeGreaterThan(3);
  const texts = names.map((name) => ({ name, text: readFileSync(join(dirname(PROGRAM), name), "utf8") }));
  expect(texts.filter(({ text }) => /\bimport\(/.test(text)).map(({ name }) => name)).toEqual([]);
});
