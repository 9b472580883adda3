import { describe, expect, test } from "vitest";
import { COMMAND_NAMES } from "./commands.ts";
import { type CheckpointKey, encodeFeature, fileName, parseFileName } from "./names.ts";

import fc from "fast-check";

describe("a feature in a file's name", () => {
  const cases = [
    { feature: "checkpoint-infrastructure", encoded: "checkpoint-infrastructure" },
    { feature: "a-b", encoded: "a-b" },
    { feature: "a/b", encoded: "a%2Fb" },
    { feature: "a\\b", encoded: "a%5Cb" },
    { feature: "a b", encoded: "a%20b" },
    { feature: "a%2Fb", encoded: "a%252Fb" },
    { feature: "../../etc/passwd", encoded: "..%2F..%2Fetc%2Fpasswd" },
    { feature: "checkpoint", encoded: "%63heckpoint" },
    { feature: "Checkpoint", encoded: "%43heckpoint" },
    { feature: "%63heckpoint", encoded: "%2563heckpoint" },
    { feature: "CON", encoded: "CON" },
    { feature: "nul.txt", encoded: "nul.txt" },
    { feature: "a:b*c?", encoded: "a%3Ab%2Ac%3F" },
    { feature: "größe", encoded: "gr%C3%B6%C3%9Fe" },
    { feature: "gro\u0308ße", encoded: "gr%C3%B6%C3%9Fe" },
    { feature: "😀", encoded: "%F0%9F%98%80" },
  ];
  test.for(cases)("$feature", ({ feature, encoded }) => expect(encodeFeature(feature)).toBe(encoded));
});

/** Features of all kinds, those that look like one another more often. */
const features = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 15 }),
    fc.string({ unit: fc.constantFrom("a", "-", "/", "%", "2", "F", ".", "A"), minLength: 1, maxLength: 6 }),
    fc.constantFrom("checkpoint", "%63heckpoint", "CON", "x.json", "x.json.lock"),
  )
  .filter((feature) => {
    try {
      return encodeFeature(feature) !== "";
    } catch {
      return false;
    }
  });
const keys: fc.Arbitrary<CheckpointKey> = fc.record({
  command: fc.constantFrom(...COMMAND_NAMES),
  feature: fc.option(features, { nil: null }),
});

test("different checkpoints have different files, each a plain name in the folder", () => {
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      const [first, second] = [fileName(a), fileName(b)];
      const isSame = a.command === b.command && a.feature?.normalize("NFC") === b.feature?.normalize("NFC");
      expect(first === second).toBe(isSame);
      expect(first).toMatch(/^[a-z]+-[A-Za-z0-9._%-]{1,180}\.json$/);
    }),
    { numRuns: 2000 },
  );
});

test("a file's name gives the checkpoint back", () => {
  fc.assert(
    fc.property(keys, ({ command, feature }) => {
      const key = { command, feature: feature?.normalize("NFC") ?? null };
      expect(parseFileName(fileName(key))).toEqual(key);
    }),
  );
});

const foreign = [
  "notes.json",
  "implement.json",
  "deploy-x.json",
  "implement-a%2fb.json",
  "implement-%zz.json",
  "implement-x.json.lock",
  ".gitignore",
];
test.for(foreign)("%s is no checkpoint's file", (name) => expect(parseFileName(name)).toBeNull());
