import { describe, expect, test } from "vitest";
import { formatUntil, parseUntil } from "./snooze-times.ts";

// Local time, as a person writes it.
const now = new Date(2026, 10, 16, 17, 30, 15);
const local = (day: number, hours: number, minutes: number, seconds = 0) =>
  new Date(2026, 10, day, hours, minutes, seconds);

describe("the end of a snooze", () => {
  const cases = [
    { words: "30m", until: local(16, 18, 0, 15) },
    { words: "2h", until: local(16, 19, 30, 15) },
    { words: "1h30m", until: local(16, 19, 0, 15) },
    { words: "1d", until: local(17, 17, 30, 15) },
    { words: "7d", until: local(23, 17, 30, 15) },
    { words: "2H", until: local(16, 19, 30, 15) },
    { words: "until 18:00", until: local(16, 18, 0) },
    { words: "until 9:05", until: local(17, 9, 5) },
    { words: "until 17:30", until: local(17, 17, 30) },
    { words: "until 2026-11-20", until: local(20, 0, 0) },
    { words: "until 2026-11-20T08:15", until: local(20, 8, 15) },
    { words: "until 2026-11-20 08:15", until: local(20, 8, 15) },
    { words: "until 2026-11-20T08:15:00Z", until: new Date("2026-11-20T08:15:00Z") },
  ];
  test.for(cases)("$words", ({ words, until }) => {
    expect(parseUntil(words.split(" "), now)).toEqual({ ok: true, until });
  });
});

describe("words that are refused", () => {
  const cases = [
    { words: "soon", detail: "is not a time" },
    { words: "30", detail: "is not a time" },
    { words: "-30m", detail: "is not a time" },
    { words: "1.5h", detail: "is not a time" },
    { words: "until", detail: "is not a time" },
    { words: "until 24:00", detail: "is not a time" },
    { words: "until 2026-13-40", detail: "is not a time" },
    { words: "18:00", detail: "is not a time" },
    { words: "", detail: "is not a time" },
    { words: "0m", detail: "is in the past" },
    { words: "until 2026-11-15", detail: "is in the past" },
    { words: "7d1m", detail: "is more than 7 days away" },
    { words: "999999d", detail: "is more than 7 days away" },
    { words: "until 2027-01-01", detail: "is more than 7 days away" },
  ];
  test.for(cases)("$words: $detail", ({ words, detail }) => {
    expect(parseUntil(words.split(" "), now)).toEqual({ ok: false, detail: expect.stringMatching(`^${detail}`) });
  });
});

const lateEvening = new Date(2026, 10, 16, 23, 50);
const formatted = [
  { until: new Date(2026, 10, 16, 23, 59), said: "23:59" },
  { until: new Date(2026, 10, 17, 0, 5), said: "tomorrow 00:05" },
  { until: new Date(2026, 10, 20, 8, 15), said: "Fri 20 Nov 08:15" },
];
test.for(formatted)("an end is shown as $said", ({ until, said }) => {
  expect(formatUntil(until, lateEvening)).toBe(said);
});
