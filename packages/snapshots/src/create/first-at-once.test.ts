import type * as fs from "node:fs";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createCheckpoint, noteWrites } from "../index.ts";
import { createWorkspace } from "../testing/workspace.ts";

/** Who makes each missing folder in the moment before it is made: real processes are only now and then that close. */
const rival = vi.hoisted((): Rival => ({ takes: null, removes: null }));
interface Rival {
  takes: ((name: string) => "folder" | "file" | null) | null;
  /** A folder that, once it is there, goes away just before a file is opened. */
  removes: string | null;
}
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const mkdirSync = (path: string, options: fs.MakeDirectoryOptions): string | undefined => {
    const isMissing = real.lstatSync(path, { throwIfNoEntry: false }) === undefined;
    const took = isMissing ? (rival.takes?.(basename(path)) ?? null) : null;
    if (took === "folder") real.mkdirSync(path, { mode: 0o700 });
    if (took === "file") real.writeFileSync(path, "");
    return real.mkdirSync(path, options);
  };
  const openSync = (path: string, flags: fs.OpenMode, mode?: fs.Mode): number => {
    if (rival.removes !== null && real.existsSync(rival.removes)) {
      real.rmSync(rival.removes, { recursive: true });
      rival.removes = null;
    }
    return real.openSync(path, flags, mode);
  };
  return { ...real, mkdirSync, openSync };
});

afterEach(() => {
  rival.takes = null;
  rival.removes = null;
});

/** The folders that a first checkpoint makes where others may make them too. */
const SHARED = ["agent-checkpoint", "indexes", "journals", "pins", "tmp", "writes", ".checkpoints", ".audit"];

test.for([...SHARED.map((name) => ({ what: name, names: [name] })), { what: "all folders", names: SHARED }])(
  "somebody else makes $what in the same moment: both checkpoints are made",
  async ({ names }) => {
    const { options, write, root, git } = createWorkspace();
    write("a.txt", "1\n");
    const taken = new Set<string>();
    rival.takes = (name) => {
      if (!names.includes(name)) return null;
      taken.add(name);
      return "folder";
    };
    const first = await createCheckpoint({ scope: "a.txt" }, { ...options, auditAs: "create" });
    rival.takes = null;
    expect(first).toMatchObject({ status: "created", notes: [] });
    expect([...taken].sort()).toEqual([...names].sort());
    expect(existsSync(join(root, ".audit/checkpoint-operations.log"))).toBe(true);
    expect(readdirSync(join(root, ".checkpoints"))).toContain("checkpoint-manifest.log");
    expect(git("status", "--porcelain", "--ignored=no")).toBe("?? a.txt\n");
    expect(await createCheckpoint({ scope: "a.txt" }, options)).toMatchObject({ status: "created", notes: [] });
    expect(await noteWrites([join(root, "a.txt")], options)).toEqual({ status: "noted", files: 1 });
  },
);

test("a note of a write beside a first checkpoint is kept", async () => {
  const { options, write, root } = createWorkspace();
  write("a.txt", "1\n");
  rival.takes = (name) => (SHARED.includes(name) ? "folder" : null);
  const noted = await noteWrites([join(root, "a.txt")], options);
  rival.takes = null;
  expect(noted).toEqual({ status: "noted", files: 1 });
});

test("a note of a write is kept where a first checkpoint that came to nothing takes the store away", async () => {
  const { options, write, root } = createWorkspace();
  write("a.txt", "1\n");
  const store = join(root, ".git/agent-checkpoint");
  rival.removes = store;
  expect(await noteWrites(["a.txt"], options)).toEqual({ status: "noted", files: 1 });
  expect(rival.removes).toBeNull();
  expect(readdirSync(join(store, "writes"))).toHaveLength(1);
});

test("a note of nothing makes no store", async () => {
  const { options, root } = createWorkspace();
  expect(await noteWrites([join(root, "../elsewhere.txt")], options)).toEqual({ status: "noted", files: 0 });
  expect(existsSync(join(root, ".git/agent-checkpoint"))).toBe(false);
});

test("somebody puts a file there in the same moment: the checkpoint is refused with its name", async () => {
  const { options, write, root } = createWorkspace();
  write("a.txt", "1\n");
  rival.takes = (name) => (name === "pins" ? "file" : null);
  const result = await createCheckpoint({ scope: "a.txt" }, options);
  rival.takes = null;
  expect(result).toMatchObject({
    status: "failed",
    code: "io",
    message: `${join(root, ".git/agent-checkpoint/pins")} is not a folder.`,
  });
});
