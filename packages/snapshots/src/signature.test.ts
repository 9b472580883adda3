import { expect, test } from "vitest";
import { isRacy } from "./read-files.ts";

const MOMENT = 1_000_000_000_500_000_000n;
const MS = 1_000_000n;

/** Times before a moment, in milliseconds, and whether a write after it might not show. */
const cases = [
  { touched: "long ago", mtime: 60_001n, ctime: 60_001n, racy: false },
  { touched: "a tick ago", mtime: 49n, ctime: 49n, racy: true },
  { touched: "earlier in the same second", mtime: 101n, ctime: 101n, racy: true },
  { touched: "in the second before", mtime: 551n, ctime: 551n, racy: false },
  { touched: "just now, with an old time put on", mtime: 60_001n, ctime: 1n, racy: true },
  { touched: "later", mtime: -10n, ctime: -10n, racy: true },
  { touched: "a second ago, by a clock of whole seconds", mtime: 1500n, ctime: 1500n, racy: true },
  { touched: "some seconds ago, by a clock of whole seconds", mtime: 4500n, ctime: 4500n, racy: false },
  { touched: "long ago, with a whole second put on", mtime: 60_500n, ctime: 60_001n, racy: false },
];

test.for(cases)("$touched", ({ mtime, ctime, racy }) => {
  expect(isRacy({ mtimeNs: MOMENT - mtime * MS, ctimeNs: MOMENT - ctime * MS }, MOMENT)).toBe(racy);
});
