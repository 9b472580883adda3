import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, expect, test } from "vitest";
import { placeOwner, takePlace } from "./single-instance.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-place-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const newHome = () => mkdtempSync(join(scratch, "home-"));

test("the place is taken once and free again after its release", () => {
  const home = newHome();
  const first = takePlace(home);
  expect(first.ok).toBe(true);
  expect(takePlace(home)).toMatchObject({ ok: false, owner: { pid: process.pid } });
  expect(placeOwner(home)?.pid).toBe(process.pid);
  if (first.ok) first.release();
  expect(placeOwner(home)).toBeNull();
  expect(takePlace(home).ok).toBe(true);
});

const dead = [
  { title: "of a process that is gone", lock: { pid: 2 ** 22 + 1, began: "Mon Jan  1 00:00:00 2024", since: "2024" } },
  {
    title: "of a number that was given again",
    lock: { pid: process.pid, began: "Mon Jan  1 00:00:00 2024", since: "2024" },
  },
];
test.for(dead)("a place $title is free", ({ lock }) => {
  const home = newHome();
  writeFileSync(join(home, "codex-injector.lock"), JSON.stringify(lock));
  expect(takePlace(home).ok).toBe(true);
  expect(placeOwner(home)?.pid).toBe(process.pid);
});

test("a broken file does not keep the place", () => {
  const home = newHome();
  writeFileSync(join(home, "codex-injector.lock"), "half a fi");
  expect(takePlace(home).ok).toBe(true);
});

test("a release leaves another's place alone", () => {
  const home = newHome();
  const mine = takePlace(home);
  const other = JSON.stringify({ pid: 1, began: "x", since: "y" });
  writeFileSync(join(home, "codex-injector.lock"), other);
  if (mine.ok) mine.release();
  expect(readFileSync(join(home, "codex-injector.lock"), "utf8")).toBe(other);
});

test("of many that start together exactly one gets it", { timeout: 60_000 }, async () => {
  const home = newHome();
  const module = fileURLToPath(new URL("single-instance.ts", import.meta.url));
  const script = `const { takePlace } = await import(${JSON.stringify(module)}); const { ok } = takePlace(process.argv[1]); console.log(ok); if (ok) setTimeout(() => {}, 4000);`;
  const children = Array.from({ length: 8 }, () =>
    execa(process.execPath, ["--input-type=module", "-e", script, home]),
  );
  const results = await Promise.all(children.map(async (child) => (await child).stdout));
  expect(results.filter((line) => line === "true")).toHaveLength(1);
});
