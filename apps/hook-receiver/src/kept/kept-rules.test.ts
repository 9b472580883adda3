import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PRESETS } from "@agent-checkpoint/categories";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scratchFolder } from "../testing/scratch.ts";
import { writeKept } from "./kept-file.ts";
import { createKeptRules, keptRulesIn } from "./kept-rules.ts";

const CONFIG = '{ "timerSeconds": 5 } // ours, and a word of our own: ä';
const CONFIGS = ["generic", CONFIG];
const RULES = { ...PRESETS.node, timerSeconds: 5 };

function stage() {
  const home = scratchFolder();
  chmodSync(home, 0o700);
  const folder = join(home, "compile-cache");
  const files = () => readdirSync(folder).map((name) => join(folder, name));
  return { home, folder, files, kept: createKeptRules(home, "one") };
}

test("what a config came to is found for the same config, in a file for its owner only", () => {
  const { kept, files, home } = stage();
  expect(kept.find(CONFIGS)).toBeNull();
  kept.keep(CONFIGS, RULES);
  expect(createKeptRules(home, "one").find(CONFIGS)).toEqual(RULES);
  expect(files().map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
});

test("another build finds nothing, and both keep their own", () => {
  const { kept, home } = stage();
  const other = createKeptRules(home, "other");
  kept.keep(CONFIGS, RULES);
  expect(other.find(CONFIGS)).toBeNull();
  other.keep(CONFIGS, PRESETS.go);
  expect([kept.find(CONFIGS), other.find(CONFIGS)]).toEqual([RULES, PRESETS.go]);
});

test("a config with one character changed finds nothing, whichever it is", () => {
  const { kept } = stage();
  kept.keep(CONFIGS, RULES);
  fc.assert(
    fc.property(fc.nat(CONFIG.length - 1), (at) => {
      const other = CONFIG.charAt(at) === "x" ? "y" : "x";
      return kept.find(["generic", `${CONFIG.slice(0, at)}${other}${CONFIG.slice(at + 1)}`]) === null;
    }),
  );
});

test("of configs that share a file each finds its own rules or none", () => {
  const { kept, files } = stage();
  const one = ["generic", `ab${"-".repeat(2000)}`];
  const other = ["generic", `ac${"-".repeat(2000)}`];
  kept.keep(one, RULES);
  kept.keep(other, PRESETS.go);
  expect(files()).toHaveLength(1);
  expect([kept.find(one), kept.find(other)]).toEqual([null, PRESETS.go]);
});

test("a damaged file is as good as none, and is replaced", () => {
  const { kept, files } = stage();
  kept.keep(CONFIGS, RULES);
  const [path = ""] = files();
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 4, bytes.length - 40);
  writeFileSync(path, bytes);
  expect(kept.find(CONFIGS)).toBeNull();
  kept.keep(CONFIGS, RULES);
  expect(kept.find(CONFIGS)).toEqual(RULES);
});

const SECRET = `ghp_${"a1B2".repeat(9)}`;
const UNKEPT = [
  { what: "a secret in its text", text: `{ "run": "TOKEN=${SECRET} npm test" } // ours`, rules: RULES },
  { what: "a secret that its text escapes", text: String.raw`"\u0067hp_"`, rules: { ...RULES, docs: [SECRET] } },
  { what: "no end", text: " ".repeat(200_000), rules: RULES },
];

test.for(UNKEPT)("a config with $what is not kept", ({ text, rules }) => {
  const { kept, folder } = stage();
  mkdirSync(folder, { mode: 0o700 });
  const configs = ["generic", text];
  kept.keep(configs, rules);
  expect(kept.find(configs)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

test("a file that holds no rules is as good as none", () => {
  const { kept, folder, files } = stage();
  kept.keep(CONFIGS, RULES);
  const [path = ""] = files();
  writeKept(path, Buffer.from(JSON.stringify(["one", ...CONFIGS])), { made: Buffer.from("{"), uses: [] });
  expect(kept.find(CONFIGS)).toBeNull();
  expect(readdirSync(folder)).toHaveLength(1);
});

const UNSAFE: readonly { place: string; arrange: (home: string, folder: string) => void }[] = [
  { place: "a home for all", arrange: (home) => chmodSync(home, 0o777) },
  { place: "a link in the folder's place", arrange: (_, folder) => symlinkSync(scratchFolder(), folder) },
  { place: "a file in the folder's place", arrange: (_, folder) => writeFileSync(folder, "") },
];

test.for(UNSAFE)("$place: nothing is kept, and nothing goes wrong", ({ arrange }) => {
  const { kept, home, folder } = stage();
  arrange(home, folder);
  kept.keep(CONFIGS, RULES);
  expect(kept.find(CONFIGS)).toBeNull();
});

test("what was kept long ago goes when something new is kept", () => {
  const { kept, files } = stage();
  kept.keep(CONFIGS, RULES);
  const [old = ""] = files();
  utimesSync(old, new Date(0), new Date(0));
  kept.keep([...CONFIGS, ""], RULES);
  expect(files()).toHaveLength(1);
  expect(files()).not.toContain(old);
});

test("whether there was a config to ask for is known", () => {
  const { kept } = stage();
  expect(kept.wasAsked()).toBe(false);
  kept.find(CONFIGS);
  expect(kept.wasAsked()).toBe(true);
});

test("a program that runs from its sources keeps nothing", () => {
  expect(keptRulesIn(scratchFolder())).toBeUndefined();
});
