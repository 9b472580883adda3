import { describe, expect, test } from "vitest";
import { createProgressLine, renderProgress, withStatus } from "./progress.ts";

const half = { done: 1000, total: 2000, bytes: 50e6, totalBytes: 100e6, elapsedMs: 10_000 };

test.for([
  {
    columns: 120,
    line: "███████████████░░░░░░░░░░░░░░░  50 %  1,000 of 2,000 files  100 files/s  5.0 MB/s  10 s left",
  },
  { columns: 80, line: "█████████░░░░░░░░  50 %  1,000 of 2,000 files  100 files/s  5.0 MB/s  10 s left" },
  { columns: 40, line: "50 %  1,000 of 2,000 files  100 files/s" },
])("fits into $columns columns", ({ columns, line }) => {
  expect(renderProgress(half, columns)).toBe(line);
  expect(line.length).toBeLessThan(columns);
});

test.for([
  { what: "nothing to do", progress: { ...half, done: 0, total: 0, bytes: 0, totalBytes: 0 }, share: "100 %" },
  { what: "only empty files", progress: { ...half, done: 1, total: 4, bytes: 0, totalBytes: 0 }, share: "25 %" },
  { what: "a file that grew", progress: { ...half, bytes: 200e6 }, share: "100 %" },
])("$what is $share", ({ progress, share }) => {
  expect(renderProgress(progress, 120)).toContain(`  ${share}  `);
});

test("says how long it will take only when it can be told", () => {
  expect(renderProgress({ ...half, elapsedMs: 500 }, 120)).not.toContain("left");
  expect(renderProgress({ ...half, bytes: 1e6, elapsedMs: 60_000 }, 120)).toContain("1 h 39 min left");
});

const draw = (isShown: boolean): string => {
  let now = 0;
  let written = "";
  const line = createProgressLine({ err: (text) => (written += text), isShown, columns: 60, clock: () => now });
  for (let done = 1; done <= 100; done += 1) {
    now += 10;
    line.update({ done, total: 100, bytes: done, totalBytes: 100 });
  }
  line.clear();
  return written;
};

test("draws over itself ten times a second and takes itself away", () => {
  const drawn = draw(true);
  expect(drawn.split("\r\u001B[2K").length - 2).toBe(10);
  expect(drawn.endsWith("\r\u001B[2K")).toBe(true);
  expect(drawn).not.toContain("\n");
});

test("writes nothing where nobody looks", () => {
  expect(draw(false)).toBe("");
});

describe("a status", () => {
  const shown = async (isProgressShown: boolean, work: () => Promise<string>) => {
    const said: string[] = [];
    const result = await withStatus("Looking", { err: (text) => said.push(text), isProgressShown }, work).catch(String);
    return { said: said.join(""), result };
  };

  test("is shown while the work lasts, and gone afterwards", async () => {
    expect(await shown(true, async () => "done")).toEqual({ said: "\r\u001B[2KLooking …\r\u001B[2K", result: "done" });
  });

  test("is gone if the work fails", async () => {
    const failing = () => Promise.reject(new Error("no"));
    expect(await shown(true, failing)).toEqual({ said: "\r\u001B[2KLooking …\r\u001B[2K", result: "Error: no" });
  });

  test("is not shown into a pipe", async () => {
    expect(await shown(false, async () => "done")).toEqual({ said: "", result: "done" });
  });
});
