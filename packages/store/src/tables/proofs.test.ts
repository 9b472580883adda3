import { expect, test } from "vitest";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

test("the latest word on a file takes the place of the one before, in its repository only", async () => {
  const store = await openedStore(temporaryHome());
  await store.proofs.record("/one", [
    { file: "a.ts", mark: "1", settled: "asked", at: at(1) },
    { file: "b.ts", mark: "1", settled: "proven", at: at(2) },
  ]);
  await store.proofs.record("/one", [{ file: "a.ts", mark: "2", settled: "proven", at: at(3) }]);
  await store.proofs.record("/other", [{ file: "a.ts", mark: "9", settled: "asked", at: at(4) }]);
  expect(await store.proofs.list("/one")).toEqual([
    { file: "a.ts", mark: "2", settled: "proven", at: at(3) },
    { file: "b.ts", mark: "1", settled: "proven", at: at(2) },
  ]);
  expect(await store.proofs.list("/none")).toEqual([]);
});

test("what one stop asked about is left undone, and nothing else", async () => {
  const store = await openedStore(temporaryHome());
  await store.proofs.record("/one", [
    { file: "asked.ts", mark: "1", settled: "asked", at: at(1) },
    { file: "proven.ts", mark: "1", settled: "proven", at: at(1) },
    { file: "mentioned.ts", mark: "1", settled: "mentioned", at: at(1) },
    { file: "later.ts", mark: "1", settled: "asked", at: at(2) },
  ]);
  await store.proofs.leave("/one", at(1));
  const settled = (await store.proofs.list("/one")).map((proof) => [proof.file, proof.settled]);
  expect(Object.fromEntries(settled)).toEqual({
    "asked.ts": "left",
    "proven.ts": "proven",
    "mentioned.ts": "mentioned",
    "later.ts": "asked",
  });
});
