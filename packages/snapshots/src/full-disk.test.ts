import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCheckpoint } from "./index.ts";
import { buildChildProgram, type ChildProgram } from "./testing/child-program.ts";
import { createWorkspace, photograph } from "./testing/workspace.ts";

/** Mounting needs a namespace of one's own, which not every machine gives. */
const canMount = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;

let child: ChildProgram;
beforeAll(async () => {
  child = await buildChildProgram();
});
afterAll(() => child.remove());

/** Runs a command in a mount namespace after a script has prepared it; `$1` and so on are the script's. */
function inNamespace(script: string, ...args: readonly string[]): readonly string[] {
  return ["unshare", "--map-root-user", "--mount", "sh", "-ec", `${script}; shift ${args.length}; "$@"`, "sh", ...args];
}

/** As `inNamespace`, with the files of the mounted folder copied out at the end, because the mount ends with the namespace. */
function withResult(script: string, folder: string, home: string) {
  const result = join(home, "result");
  const whole = `${script}; folder="$1"; result="$2"; shift 2; "$@"; cat "$folder"/* > "$result"`;
  return { result, wrapper: ["unshare", "--map-root-user", "--mount", "sh", "-ec", whole, "sh", folder, result] };
}

test.runIf(canMount)("a full disk under the store: no checkpoint, and nothing of the user's has changed", () => {
  const { options, root, write } = createWorkspace({ git: false });
  // Nothing that could be compressed.
  write("large.bin", randomBytes(3_000_000));
  write("small.txt", "small\n");
  const store = join(options.home, "store");
  const before = photograph(root, { times: true });
  const wrapper = inNamespace('mkdir -p "$1"; mount -t tmpfs -o size=1m tmpfs "$1"', store);
  const outcome = child.run({ options: { ...options, store }, create: { scope: "." }, killAt: null }, wrapper);
  expect(outcome?.result).toMatchObject({ status: "failed", code: "no-space", report: { checkpoint_created: false } });
  expect(photograph(root, { times: true })).toEqual(before);
});

test.runIf(canMount)("a full disk under the files: the restore stops before it changes one", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("a.bin", Buffer.alloc(600_000, "a"));
  write("b.txt", "b\n");
  const made = await createCheckpoint({ scope: "." }, options);
  const id = made.report.checkpoint?.id ?? "";
  write("a.bin", "changed\n");
  write("b.txt", "changed\n");
  const script =
    'cp -a "$1" "$1-copy"; mount -t tmpfs -o size=200k tmpfs "$1"; cp -a "$1-copy/." "$1"; rm -rf "$1-copy"';
  const { wrapper, result } = withResult(script, root, options.home);
  const outcome = child.run({ options, restore: { id }, killAt: null }, wrapper);
  expect(outcome?.result).toMatchObject({ status: "failed", code: "no-space" });
  expect(readFileSync(result, "utf8")).toBe("changed\nchanged\n");
});

test.runIf(canMount)("a read-only folder: the restore stops before it changes anything", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("in/a.txt", "a\n");
  write("z.txt", "z\n");
  const made = await createCheckpoint({ scope: "." }, options);
  const id = made.report.checkpoint?.id ?? "";
  write("in/a.txt", "changed\n");
  write("z.txt", "changed\n");
  const wrapper = inNamespace('mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"', join(root, "in"));
  const outcome = child.run({ options, restore: { id }, killAt: null }, wrapper);
  expect(outcome?.result).toMatchObject({ status: "failed", code: "not-writable" });
  expect(readFileSync(join(root, "in/a.txt"), "utf8")).toBe("changed\n");
  expect(readFileSync(join(root, "z.txt"), "utf8")).toBe("changed\n");
});

test.runIf(canMount)("files on another file system than the workspace come back too", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("in/a.txt", "a\n");
  const made = await createCheckpoint({ scope: "." }, options);
  const id = made.report.checkpoint?.id ?? "";
  const script = 'mount -t tmpfs tmpfs "$1"; chmod 755 "$1"; echo changed > "$1/a.txt"';
  const { wrapper, result } = withResult(script, join(root, "in"), options.home);
  const outcome = child.run({ options, restore: { id }, killAt: null }, wrapper);
  expect(outcome?.result).toMatchObject({ status: "restored", report: { verification: { match: true } } });
  expect(readFileSync(result, "utf8")).toBe("a\n");
});
