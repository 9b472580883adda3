import { describe, expect, test } from "vitest";
import { HINTS } from "./hints.ts";
import { redact } from "./redact.ts";
import { secretLeads } from "./secret-leads.ts";
import { secretShapes } from "./secret-shapes.ts";
import { KEPT_TEXTS } from "./testing/kept-texts.ts";
import { SECRET_TEXTS, traceOf } from "./testing/secret-texts.ts";

import fc from "fast-check";

test.for(SECRET_TEXTS)("$row: $clean", ({ text, clean }) => {
  expect(redact(text)).toBe(clean);
});

test("every secret of the table has a word to be found by", () => {
  expect(SECRET_TEXTS.filter((one) => traceOf(one).length < 7)).toEqual([]);
});

test("every hint of the tables is among those that are looked for first, or holds one that is", () => {
  const hints = [...secretShapes(), ...secretLeads()].flatMap((row) => row.hints);
  expect(hints.filter((hint) => !HINTS.some((first) => hint.includes(first)))).toEqual([]);
  expect(HINTS.filter((first) => !hints.some((hint) => hint.includes(first)))).toEqual([]);
});

test("every row of the tables has a text of its own", () => {
  const rows = [...secretShapes(), ...secretLeads()].map(({ name }) => name);
  expect([...new Set(SECRET_TEXTS.map(({ row }) => row))].toSorted()).toEqual(rows.toSorted());
});

const wrappings = [
  (text: string) => `"${text}"`,
  (text: string) => `'${text}'`,
  (text: string) => `(${text})`,
  (text: string) => `\`${text}\``,
  (text: string) => `x=${text};`,
  (text: string) => `one\n${text}\ntwo`,
  (text: string) => JSON.stringify({ a: [text], b: 1 }),
  (text: string) => JSON.stringify(JSON.stringify({ a: text })),
];
test.for(SECRET_TEXTS)("in whatever it is wrapped: $text", (one) => {
  const shown = wrappings.map((wrap) => redact(wrap(one.text)));
  expect(shown.filter((text) => text.includes(traceOf(one)))).toEqual([]);
});

test.for(KEPT_TEXTS)("stays: %s", (text) => {
  expect(redact(text)).toBe(text);
});

describe("whatever the text is", () => {
  /** Texts made of the very pieces that the tables look for. */
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(...SECRET_TEXTS.map(({ text }) => text)),
        fc.constantFrom("token", "=", ":", '"', "'", "\\", " ", "\n", "--", "-p", "curl ", "$", "[redacted]", "`", ","),
        fc.string({ unit: "binary", maxLength: 6 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(""));

  test("a second pass changes nothing", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test("it is not made much longer", () => {
    fc.assert(fc.property(hostile, (text) => redact(text).length <= text.length * 11 + 20));
  });
});

describe("the time stays in proportion to the text", () => {
  const units = [
    "a",
    "a.",
    "token",
    "token_",
    "token=",
    "token='",
    'token="',
    'token=\\"',
    "token = ",
    "--token ",
    "--",
    "a-",
    "://",
    "a://b:",
    "a://b:c@",
    "-----BEGIN PRIVATE KEY-----",
    "-----END ",
    "eyJ",
    "eyJaaaaaaaaaaaaa.",
    "sk-",
    "curl -u a:",
    "authorization: ",
    "\\",
    '"',
    " ",
    "\n",
    "mysql -p",
    "login a password ",
    "ghp_aaaaaaaaaaaaaaa ",
  ];
  test.for(units)("of %j again and again", (unit) => {
    const text = unit.repeat(Math.ceil(320_000 / unit.length));
    const start = performance.now();
    redact(text);
    // A tenth of a second is usual; a pattern that goes back to the start at every place takes minutes.
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
