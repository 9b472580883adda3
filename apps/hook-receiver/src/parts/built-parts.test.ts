import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { buildName } from "../../scripts/name-build.ts";
import { PROGRAM, reasonOf } from "../testing/hook-process.ts";
import { SILENCE, stageFault, type StagedFault } from "../testing/stage-fault.ts";

/** What a home keeps. */
const keptIn = ({ home }: StagedFault): readonly string[] => {
  const folder = join(home, "compile-cache");
  return readdirSync(folder).map((name) => join(folder, name));
};

/** The files of kept code among them. */
const codeIn = (staged: StagedFault): readonly string[] => keptIn(staged).filter((path) => !path.includes("rules-"));

/** The uses that a home keeps code for, with the parts that each has loaded. */
function usesIn(staged: StagedFault): readonly string[] {
  const lists = codeIn(staged).map((path) => JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "") as string[]);
  const inWords = (use: string): string => use.replaceAll(/ \.\/checkpoint-hook-([\w-]+)\.cjs/g, " $1");
  return [...new Set(lists.flat().map(inWords))].toSorted();
}

test("an event loads the parts that it needs, and code is kept for each way that one ends", async () => {
  const staged = await stageFault();
  expect(await staged.stop({ event: { stop_hook_active: true } })).toEqual(SILENCE);
  expect(await staged.prompt()).toEqual(SILENCE);
  expect(await staged.prompt()).toEqual(SILENCE);
  expect(await staged.stop({ at: staged.facts.promptAt })).toEqual(SILENCE);
  expect(reasonOf(await staged.stop())).toContain("make restart");
  expect(await staged.stop()).toEqual(SILENCE);
  expect(usesIn(staged)).toEqual([
    "claude prompt main",
    "claude prompt main look",
    "claude stop main",
    "claude stop main look",
    "claude stop main look record",
    "claude stop, answered main look record content",
  ]);
});

test("what makes rules of a config is loaded once for each text of it", async () => {
  const staged = await stageFault();
  const config = join(staged.project, "checkpoint.config.json");
  writeFileSync(config, '{ "preset": "teleclaude", "timerSeconds": 0 }');
  await staged.prompt();
  expect(reasonOf(await staged.stop({ at: staged.facts.promptAt }))).toContain("make restart");
  const kept = [
    "claude prompt, with a config main look rules",
    "claude stop, answered, with a config main look record content",
  ];
  expect(usesIn(staged)).toEqual(kept);
  // The same length, and other rules.
  writeFileSync(config, '{ "preset": "teleclaude", "timerSeconds": 9 }');
  expect(await staged.stop({ at: staged.facts.promptAt })).toEqual(SILENCE);
  expect(await staged.stop({ at: staged.facts.promptAt })).toEqual(SILENCE);
  expect(usesIn(staged)).toEqual([
    ...kept,
    "claude stop, with a config main look record",
    "claude stop, with a config main look record rules",
  ]);
});

test("what reads globs is loaded only for one that is in no preset", async () => {
  const staged = await stageFault();
  const config = {
    preset: "teleclaude",
    docs: ["teleclaude/{d,e}[a-f]?mon.py"],
    categories: [{ id: "daemon-code", off: true }],
  };
  writeFileSync(join(staged.project, "checkpoint.config.json"), JSON.stringify(config));
  await staged.prompt();
  await staged.stop();
  expect(usesIn(staged).filter((use) => use.includes("stop"))).toEqual([
    expect.stringMatching(/^claude stop.* main look record content globs$/),
  ]);
});

test("a config that cannot be used is read again at every stop", async () => {
  const staged = await stageFault();
  writeFileSync(join(staged.project, "checkpoint.config.json"), '{ "preset": "no such" }');
  for (const session of ["one", "other"])
    expect(reasonOf(await staged.stop({ event: { session_id: session, prompt_id: session } }))).toContain("preset");
  expect(keptIn(staged).filter((path) => path.includes("rules-"))).toEqual([]);
});

test("a flipped bit in kept code: the stop is judged, and the code made again", async () => {
  const staged = await stageFault();
  await staged.stop();
  for (const path of keptIn(staged)) {
    const bytes = readFileSync(path);
    const at = bytes.length - 5000;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
    writeFileSync(path, bytes);
  }
  const damaged = keptIn(staged).map((path) => readFileSync(path));
  const again = { event: { session_id: "again", prompt_id: "turn-again" } };
  expect(reasonOf(await staged.stop(again))).toContain("make restart");
  const mended = keptIn(staged).map((path) => readFileSync(path));
  expect(mended.map((bytes, index) => bytes.equals(damaged[index] ?? bytes))).toEqual(mended.map(() => false));
});

test("the build has a name of its own, and no part the place for one", () => {
  const texts = readdirSync(dirname(PROGRAM)).map((name) => readFileSync(join(dirname(PROGRAM), name), "utf8"));
  const place = JSON.parse(buildName["BUILT_AS"] ?? "") as string;
  expect(place).not.toBe("");
  expect(texts.filter((text) => text.includes(place))).toEqual([]);
});

test("the parts are plain: ASCII, and no import() that V8 would have nobody to ask for", () => {
  const names = readdirSync(dirname(PROGRAM)).filter((name) => /^checkpoint-hook-.*\.cjs$/.test(name));
  expect(names.length).toBeGreaterThan(3);
  const texts = names.map((name) => ({ name, text: readFileSync(join(dirname(PROGRAM), name), "utf8") }));
  expect(texts.filter(({ text }) => /[^\0-\x7F]|\bimport\(/.test(text)).map(({ name }) => name)).toEqual([]);
});
