import { expect, test } from "vitest";
import { showProgress } from "./create-snapshot.ts";

const ERASE = "\r\u001B[2K";

/** What is written while a step of 2,000 files takes this long, one file after the other. */
function draw({
  millis,
  isProgressShown = true,
}: {
  readonly millis: number;
  readonly isProgressShown?: boolean;
}): string {
  let now = 5000;
  let written = "";
  const { progress, clear } = showProgress({ err: (text) => (written += text), isProgressShown }, () => now);
  for (let done = 1; done <= 2000; done += 1) {
    now = 5000 + (millis * done) / 2000;
    progress({ step: "reading", done, total: 2000 });
  }
  clear();
  return written;
}

test.for([
  { what: "less than a second", given: { millis: 999 }, drawn: "" },
  { what: "a second", given: { millis: 1000 }, drawn: `${ERASE}reading  2,000 of 2,000${ERASE}` },
  {
    what: "a little more, drawn ten times a second",
    given: { millis: 1250 },
    drawn:
      [1600, 1760, 1920].map((done) => `${ERASE}reading  ${done.toLocaleString("en-US")} of 2,000`).join("") + ERASE,
  },
  { what: "a minute where nobody looks", given: { millis: 60_000, isProgressShown: false }, drawn: "" },
])("a step of $what", ({ given, drawn }) => {
  expect(draw(given)).toBe(drawn);
});
