import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { ensureHome } from "./checkpoint-home.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-home-"));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("a home is made with the folders above it, for its owner only", () => {
  const home = join(scratch, "one", "two");
  ensureHome(home);
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(() => ensureHome(home)).not.toThrow();
});

/** A folder that lies in the temporary one and looks like somebody else's. */
function foreignHome(name: string): string {
  const home = join(scratch, name);
  mkdirSync(home, { recursive: true });
  vi.spyOn(process, "getuid").mockReturnValue(statSync(home).uid + 1);
  return home;
}

const temporary = [
  { variable: "TMPDIR", value: scratch },
  { variable: "TMPDIR", value: `${scratch}/` },
  { variable: "TMP", value: scratch },
  { variable: "TEMP", value: scratch },
];
test.for(temporary)("$variable=$value: another user's folder in it is refused", ({ variable, value }) => {
  vi.stubEnv(variable, value);
  const home = foreignHome("foreign");
  expect(() => ensureHome(home)).toThrow(/belongs to another user/);
});

test("in the system's folder for temporary files as well, whatever the variables say", () => {
  const home = mkdtempSync("/tmp/checkpoint-home-");
  try {
    vi.stubEnv("TMPDIR", "/elsewhere");
    vi.spyOn(process, "getuid").mockReturnValue(statSync(home).uid + 1);
    expect(() => ensureHome(home)).toThrow(/belongs to another user/);
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("a link in the temporary folder is refused, whoever made it", () => {
  vi.stubEnv("TMPDIR", scratch);
  const target = join(scratch, "target", "home");
  mkdirSync(target, { recursive: true });
  symlinkSync(target, join(scratch, "link"));
  expect(() => ensureHome(join(scratch, "link"))).toThrow(/belongs to another user/);
});

test("elsewhere, whose folder it is does not matter", () => {
  vi.stubEnv("TMPDIR", scratch);
  expect(() => ensureHome(foreignHome("deeper/home"))).not.toThrow();
});
