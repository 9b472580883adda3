import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scratchFolder } from "../testing/scratch.ts";
import { readKept, writeKept } from "./kept-file.ts";

const source = Buffer.from("exports.a = 1; // ä\n");
const kept = { made: Buffer.from([0, 10, 255, 7, 1, 2, 3]), uses: ["claude stop", "claude prompt"] };

function written(): string {
  const path = join(scratchFolder(), "code");
  writeKept(path, source, kept);
  return path;
}

test("what was kept for a source is found for it, in a file for its owner only", () => {
  const path = written();
  expect(readKept(path, source)).toEqual(kept);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("keeping again replaces what was there", () => {
  const path = written();
  writeKept(path, source, { made: Buffer.from("other"), uses: [] });
  expect(readKept(path, source)).toEqual({ made: Buffer.from("other"), uses: [] });
});

test("another source of the same length gets none", () => {
  expect(readKept(written(), Buffer.from("exports.a = 2; // ä\n"))).toBeNull();
});

test("a flipped bit leaves no code, wherever it is behind the uses", () => {
  const path = written();
  const whole = readFileSync(path);
  const start = whole.indexOf("\n") + 1;
  const places = fc.integer({ min: start, max: whole.length - 1 });
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: 7 }), (at, bit) => {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << bit), at);
      writeFileSync(path, damaged);
      return readKept(path, source) === null;
    }),
  );
});

test("a file that was cut off leaves no code", () => {
  const path = written();
  const whole = readFileSync(path);
  for (let size = 0; size < whole.length; size += 1) {
    writeFileSync(path, whole.subarray(0, size));
    expect(readKept(path, source)).toBeNull();
  }
});

test("no file, a folder and a link leave none", () => {
  const folder = scratchFolder();
  symlinkSync(written(), join(folder, "link"));
  expect(["nothing", ".", "link"].map((name) => readKept(join(folder, name), source))).toEqual([null, null, null]);
});
