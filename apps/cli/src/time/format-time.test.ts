import { expect, test } from "vitest";
import { formatAgo } from "./format-time.ts";

const MINUTE = 60_000;
const cases = [
  { ms: 59_999, says: "just now" },
  { ms: -5 * MINUTE, says: "just now" },
  { ms: MINUTE, says: "1 minute ago" },
  { ms: 59 * MINUTE, says: "59 minutes ago" },
  { ms: 60 * MINUTE, says: "1 hour ago" },
  { ms: 47 * 60 * MINUTE, says: "1 day ago" },
  { ms: 400 * 24 * 60 * MINUTE, says: "400 days ago" },
];
test.for(cases)("$ms ms: $says", ({ ms, says }) => {
  const now = new Date("2026-03-02T09:00:00Z");
  expect(formatAgo(new Date(now.getTime() - ms), now)).toBe(says);
});
