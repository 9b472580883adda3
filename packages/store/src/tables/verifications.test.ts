import { expect, test } from "vitest";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { Verification } from "./verifications.ts";

const BLOB = "d670460b4b4aece5915caf5c68d12f560a9fe3e4";
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const row = (changes: Partial<Verification> = {}): Verification => ({
  file: "a.ts",
  blob: BLOB,
  rule: "tests",
  state: "open",
  at: at(1),
  agent: "claude",
  stopId: 1,
  command: null,
  ...changes,
});
const verified = row({ state: "verified", at: at(2), stopId: 2, command: "npm test" });

test("a content that was open becomes verified, and stays so", async () => {
  const store = await openedStore(temporaryHome());
  await store.verifications.record("/one", [row()]);
  expect(await store.verifications.list("/one")).toEqual([row()]);
  await store.verifications.record("/one", [verified]);
  await store.verifications.record("/one", [row({ at: at(3) }), row({ state: "verified", at: at(4) })]);
  expect(await store.verifications.list("/one")).toEqual([verified]);
});

test("every content, rule and repository has a row of its own", async () => {
  const store = await openedStore(temporaryHome());
  const rows = [
    verified,
    row({ blob: "absent", at: at(1) }),
    row({ rule: "migrate", at: at(1) }),
    row({ file: "b.ts" }),
  ];
  await store.verifications.record("/one", rows);
  await store.verifications.record("/other", [row()]);
  expect(await store.verifications.list("/one")).toEqual([verified, rows[2], rows[1], rows[3]]);
  expect(await store.verifications.list("/other")).toEqual([row()]);
});

test("it tells up to when turns were searched", async () => {
  const store = await openedStore(temporaryHome());
  expect([await store.verifications.advance(at(1)), await store.verifications.advance(at(2))]).toEqual([null, at(1)]);
});
