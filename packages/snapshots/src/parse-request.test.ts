import { describe, expect, test } from "vitest";
import { troubleOf } from "./trouble.ts";
import { type CheckpointRequest, parseRequest } from "./scope.ts";

const place = { root: "/home/dev/app", cwd: "/home/dev/app/src", tree: {} };
const now = new Date("2031-01-31T12:00:00.000Z");

/** What a request is understood as, or the code it is refused with. */
function read(request: CheckpointRequest): unknown {
  try {
    return parseRequest(request, place, now);
  } catch (error) {
    return troubleOf(error).code;
  }
}

describe("what is refused", () => {
  test.for<[string, CheckpointRequest, string]>([
    ["no scope", { scope: [] }, "bad-input"],
    ["an empty scope", { scope: "" }, "bad-input"],
    ["an empty word", { scope: ["a", " "] }, "bad-input"],
    ["a climb", { scope: "../.." }, "outside-root"],
    ["a climb inside", { scope: "a/../../b" }, "outside-root"],
    ["a NUL", { scope: "a\0b" }, "bad-input"],
    ["the root of the disk", { scope: "/" }, "outside-root"],
    ["a folder beside", { scope: "/home/dev/application" }, "outside-root"],
    ["a .git", { scope: "/home/dev/app/.git/config" }, "bad-input"],
    ["a .git further down", { scope: "lib/.git" }, "bad-input"],
    ["our own folder", { scope: "/home/dev/app/.checkpoints" }, "bad-input"],
    ["a state without a key", { scope: "state:" }, "bad-input"],
    ["a connection string", { scope: "postgres:postgres://me:secret@host/db" }, "bad-input"],
    ["an unknown type", { scope: "a", checkpoint_type: "tarball" }, "bad-input"],
    ["a negative expiry", { scope: "a", expiry: "-1h" }, "bad-input"],
    ["an expiry of nothing", { scope: "a", expiry: "0h" }, "bad-input"],
    ["an expiry in words", { scope: "a", expiry: "tomorrow" }, "bad-input"],
    ["an expiry in the past", { scope: "a", expiry: "2030-01-01T00:00:00Z" }, "bad-input"],
    ["a reason with NUL", { scope: "a", reason: "a\0b" }, "bad-input"],
    ["a scope that is no text", { scope: 5 as unknown as string }, "bad-input"],
    ["a word that is no text", { scope: ["a", null as unknown as string] }, "bad-input"],
    ["a reason that is no text", { scope: "a", reason: {} as unknown as string }, "bad-input"],
    ["no request", null as unknown as CheckpointRequest, "bad-input"],
    ["a database in memory", { scope: "sqlite::memory:" }, "bad-input"],
    ["a database by a URI", { scope: "sqlite:file:x.db?mode=ro" }, "bad-input"],
  ])("%s", ([, request, code]) => {
    expect(read(request)).toBe(code);
  });
});

describe("what is understood", () => {
  test.for<[string, CheckpointRequest, object]>([
    ["a path from the folder one is in", { scope: "a.ts" }, { scope: [{ kind: "path", path: "src/a.ts" }] }],
    ["an absolute path", { scope: "/home/dev/app/b" }, { scope: [{ kind: "path", path: "b" }] }],
    ["the whole root", { scope: "/home/dev/app" }, { scope: [{ kind: "path", path: "" }] }],
    ["a folder with a slash", { scope: ["x/"] }, { scope: [{ kind: "path", path: "src/x" }] }],
    ["a glob", { scope: "**/*.ts" }, { scope: [{ kind: "path", path: "src/**/*.ts" }] }],
    ["a key of a state", { scope: "state:a:b" }, { scope: [{ kind: "state", key: "a:b" }] }],
    ["a database file", { scope: "sqlite:x.db" }, { scope: [{ kind: "sqlite", path: "/home/dev/app/src/x.db" }] }],
    ["a database service", { scope: "postgres:dev" }, { scope: [{ kind: "postgres", service: "dev" }] }],
    ["a file that looks like a key", { scope: "./state:x" }, { scope: [{ kind: "path", path: "src/state:x" }] }],
    ["no expiry", { scope: "a" }, { expiresAt: null, type: "git_stash", reason: "" }],
    ["hours", { scope: "a", expiry: "24h" }, { expiresAt: new Date("2031-02-01T12:00:00.000Z") }],
    ["days", { scope: "a", expiry: "7d" }, { expiresAt: new Date("2031-02-07T12:00:00.000Z") }],
    ["never", { scope: "a", expiry: "never" }, { expiresAt: null }],
    [
      "a time",
      { scope: "a", expiry: "2031-03-01T00:00:00+01:00" },
      { expiresAt: new Date("2031-02-28T23:00:00.000Z") },
    ],
    ["a reason of two lines", { scope: "a", reason: "one\n two\t" }, { reason: "one two" }],
    ["an endless reason", { scope: "a", reason: "x".repeat(501) }, { reason: `${"x".repeat(492)} … (cut)` }],
    ["a reason with a secret", { scope: "a", reason: "password=hunter22" }, { reason: "password=[redacted]" }],
    ["a type", { scope: "a", checkpoint_type: "file_backup" }, { type: "file_backup" }],
  ])("%s", ([, request, understood]) => {
    expect(read(request)).toMatchObject(understood);
  });
});
