import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashEntries, parseStream, renderStream } from "./manifest.ts";
import type { Entry } from "./manifest.ts";

const ENTRIES: readonly Entry[] = [
  { path: "a", type: "file", mode: 0o644, size: 3, oid: "ab".repeat(32) },
  { path: "b\nc", type: "absent", mode: 0, size: 0, oid: null },
  { path: "d", type: "directory", mode: 0o755, size: 0, oid: null },
  { path: "\xff", type: "link", mode: 0, size: 1, oid: "cd".repeat(32) },
];

test("the stream is what the documentation says, and its SHA-256 is the hash", () => {
  const stream = `checkpoint-tree v2\n1:a\0f\x000644\x003\0${"ab".repeat(32)}\n3:b\nc\0-\x000000\x000\0-\n1:d\0d\x000755\x000\0-\n1:\xff\0l\x000000\x001\0${"cd".repeat(32)}\n`;
  expect(renderStream(ENTRIES)).toBe(stream);
  expect(hashEntries(ENTRIES)).toBe(
    `sha256:${createHash("sha256").update(Buffer.from(stream, "latin1")).digest("hex")}`,
  );
});

test("what was written is read again, whatever the names", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "\n", "\xff", ":", "0", " ", "f"), minLength: 1, maxLength: 8 });
  const entry = fc.record({
    path: name,
    type: fc.constant("file" as const),
    mode: fc.nat(0o7777),
    size: fc.nat(),
    oid: fc.constant("ef".repeat(32)),
  });
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      expect(parseStream(renderStream(entries))).toEqual(entries);
    }),
  );
});

test.for([
  "",
  "checkpoint-tree v1\n",
  "checkpoint-tree v2\n1:a\0f\x000644\x003\n",
  "checkpoint-tree v2\n9:a\0f\n",
  "checkpoint-tree v2\n4:../x\0f\x000644\x003\0-\n",
  "checkpoint-tree v2\n1:a\0?\x000644\x003\0-\n",
])("no stream: %j", (text) => {
  expect(parseStream(text)).toBeNull();
});
