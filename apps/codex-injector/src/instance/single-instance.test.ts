import { mkdtempSync, rmSync } from "node:fs";
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
  expect(takePlace(home)).toMatchObject({ ok: false, owner: { pid: process.pid } });
  expect(placeOwner(home)?.pid).toBe(process.pid);
  if (first.ok) first.lock.release();
  expect(placeOwner(home)).toBeNull();
  expect(takePlace(home).ok).toBe(true);
});

const MODULE = fileURLToPath(new URL("single-instance.ts", import.meta.url));
const TAKE = `const { takePlace } = await import(${JSON.stringify(MODULE)}); const { ok } = takePlace(process.argv[1]); console.log(ok);`;
const take = (home: string, then = "") =>
  execa(process.execPath, [
    "--conditions=@agent-checkpoint/source",
    "--input-type=module",
    "--eval",
    TAKE + then,
    home,
  ]);

test("the place of a process that is gone is free", async () => {
  const home = newHome();
  expect((await take(home)).stdout).toBe("true");
  expect(placeOwner(home)).toBeNull();
  expect(takePlace(home).ok).toBe(true);
});

test("of many that start together exactly one gets it", { timeout: 60_000 }, async () => {
  const home = newHome();
  const children = Array.from({ length: 8 }, () => take(home, "if (ok) setTimeout(() => {}, 4000);"));
  const results = await Promise.all(children.map(async (child) => (await child).stdout));
  expect(results.filter((line) => line === "true")).toHaveLength(1);
});
