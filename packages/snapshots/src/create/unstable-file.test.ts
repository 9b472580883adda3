import type * as fs from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createCheckpoint } from "../index.ts";
import { createWorkspace } from "../testing/workspace.ts";

/** The file that somebody writes to during every read: another program could not be relied on to be at it in time. */
const writer = vi.hoisted((): { path: string | null } => ({ path: null }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const readSync = (file: number, bytes: Buffer, offset: number, length: number, at: number): number => {
    const read = real.readSync(file, bytes, offset, length, at);
    if (writer.path !== null) real.appendFileSync(writer.path, "more\n");
    return read;
  };
  return { ...real, readSync };
});

test.for([{ bytes: 10 }, { bytes: 24_000_000 }])(
  "a named file of $bytes bytes that keeps changing while it is read refuses the checkpoint",
  async ({ bytes }) => {
    const { options, write, root } = createWorkspace({ git: false });
    write("log", "x".repeat(bytes));
    writer.path = join(root, "log");
    expect(await createCheckpoint({ scope: "log" }, options)).toMatchObject({
      status: "refused",
      code: "unstable-file",
      report: { checkpoint_created: false },
    });
    writer.path = null;
    expect(await createCheckpoint({ scope: "log" }, options)).toMatchObject({ status: "created" });
  },
);

test("one in a folder that was asked for is left out, and named", async () => {
  const { options, write, root } = createWorkspace({ git: false });
  write("folder/log", "x");
  write("folder/other", "y");
  writer.path = join(root, "folder/log");
  expect(await createCheckpoint({ scope: "folder" }, options)).toMatchObject({
    status: "created",
    report: { skipped: [{ path: "folder/log", rule: "changing" }] },
  });
  writer.path = null;
});
