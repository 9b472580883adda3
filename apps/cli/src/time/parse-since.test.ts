import { expect, test } from "vitest";
import { parseSince } from "./parse-since.ts";

const NOW = new Date("2026-11-16T05:31:12.345Z");

test.for([
  { text: "12h", moment: "2026-11-15T17:00:00.000Z" },
  { text: "30d", moment: "2026-10-17T00:00:00.000Z" },
  { text: "2w", moment: "2026-11-02T00:00:00.000Z" },
  { text: "2026-01-31", moment: "2026-01-31T00:00:00.000Z" },
  { text: "2026-01-31T12:30:00Z", moment: "2026-01-31T12:30:00.000Z" },
])("$text is $moment", ({ text, moment }) => {
  expect(new Date(parseSince(text, NOW)).toISOString()).toBe(moment);
});

test.for(["yesterday", "30", "d", "-3d", "2026", "2026-13-45", ""])(
  "%s is refused with what to write instead",
  (text) => {
    expect(() => parseSince(text, NOW)).toThrow("neither a time span nor a date");
  },
);
