import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aProject, plainProject } from "../testing/a-project.ts";
import { withDocumentLock } from "./stored-document.ts";

const FILE = "implement-checkpoint.json";
const phases = { a: { status: "in_progress" } };
const json = (value: unknown) => JSON.stringify(value);

describe("a file that holds no checkpoint", () => {
  const cases = [
    { name: "empty", content: "", why: "it is empty" },
    { name: "white space", content: " \n", why: "it holds no JSON object" },
    { name: "half of one", content: `{"version":1,"phases":{"a":`, why: "it holds no JSON object" },
    { name: "a list", content: "[]", why: "it holds no JSON object" },
    { name: "null", content: "null", why: "it holds no JSON object" },
    { name: "text", content: "<<<<<<< HEAD", why: "it holds no JSON object" },
    { name: "bytes", content: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), why: "it holds no JSON object" },
    { name: "zeros", content: Buffer.alloc(4096), why: "it holds no JSON object" },
    {
      name: "a megabyte",
      content: `{"x":"${"x".repeat(1024 * 1024)}"}`,
      why: "it has 1048584 bytes, at most 1048576 are read",
    },
    {
      name: "a status of its own",
      content: json({ version: 1, phases: { a: { status: "banana" } } }),
      why: "`phases.a.status`: expected",
    },
    {
      name: "a list of phases",
      content: json({ version: 1, phases: [] }),
      why: "`phases`: expected Object, found a list",
    },
    {
      name: "phases that are text",
      content: json({ version: 1, phases: { a: "complete" } }),
      why: "`phases.a`: expected Object",
    },
    {
      name: "a phase __proto__",
      content: `{"version":1,"phases":{"__proto__":{"status":"complete"}}}`,
      why: "`__proto__` cannot be a phase",
    },
    {
      name: "a number as phase",
      content: json({ version: 1, phases: { 1: { status: "pending" } } }),
      why: "expected a phase of at most 100",
    },
    {
      name: "a time of its own",
      content: json({ version: 1, phases, started_at: "now" }),
      why: "`started_at`: expected a time",
    },
    { name: "no state", content: json({ version: 1, phases, state: "ok" }), why: "`state`: expected Object" },
    { name: "a version in words", content: json({ version: "one", phases }), why: "`version`: expected 1" },
    { name: "a version before the first", content: json({ version: -1, phases }), why: "`version`: expected 1" },
  ];
  test.for(cases)("$name: loading warns, keeps it aside, and gives null", ({ content, why }) => {
    const project = plainProject();
    project.write(FILE, "");
    writeFileSync(join(project.stateDir, FILE), content);
    expect(project.loadCheckpoint("implement")).toBeNull();
    const [aside = "", ...others] = project.names();
    expect(others).toEqual([]);
    expect(aside).toMatch(/^implement-checkpoint\.json\.corrupt-\d{8}T\d{6}Z-[0-9a-f]{6}$/);
    expect(project.read(aside)).toBe(Buffer.from(content).toString("utf8"));
    expect(project.lines).toEqual([expect.stringContaining(why)]);
    expect(project.lines[0]).toContain(`it is kept as ${aside}`);
    expect(project.getLastError()?.code).toBe("corrupt");
    expect(project.loadCheckpoint("implement")).toBeNull();
    expect(project.lines).toHaveLength(1);
  });

  test("where it cannot be kept aside it stays, and the line says both", () => {
    const project = plainProject({ lockTimeoutMs: 20 });
    project.write(FILE, "{");
    withDocumentLock(join(project.stateDir, FILE), 1000, () => expect(project.loadCheckpoint("implement")).toBeNull());
    expect(project.getLastError()?.code).toBe("corrupt");
    expect(project.lines).toEqual([expect.stringMatching(/no JSON object\), and cannot be kept aside: .*is held by/)]);
    expect(project.names()).toEqual([FILE]);
  });

  test("an update keeps it aside and begins anew", () => {
    const project = plainProject();
    project.write(FILE, "{");
    expect(project.updatePhase("implement", "a", { status: "in_progress" })).toBe(true);
    expect(project.names()).toEqual([FILE, expect.stringContaining(".corrupt-")]);
    expect(project.lines).toEqual([expect.stringContaining("held no checkpoint")]);
  });

  test("listing tells of it and moves nothing", () => {
    const project = plainProject();
    project.write(FILE, "{");
    expect(project.listCheckpoints()).toEqual([
      { command: "implement", feature: null, checkpoint: null, problem: "it holds no JSON object" },
    ]);
    expect(project.names()).toEqual([FILE]);
  });
});

describe("a file that is somebody else's is left as it is", () => {
  const cases = [
    {
      name: "a newer version",
      content: json({ version: 2, phases }),
      why: "it has version 2, this program knows 1: update the program",
    },
    {
      name: "another command",
      content: json({ version: 1, command: "ship", phases }),
      why: "it is of `ship`, not of `implement`",
    },
    {
      name: "a feature",
      content: json({ version: 1, feature: "x", phases }),
      why: 'it is of `implement` for "x", not of `implement`',
    },
  ];
  test.for(cases)("$name", ({ content, why }) => {
    const project = plainProject();
    project.write(FILE, content);
    expect(project.loadCheckpoint("implement")).toBeNull();
    expect(project.updatePhase("implement", "a", {})).toBe(false);
    expect(project.saveCheckpoint("implement", { phases: {} })).toBe(false);
    expect(project.completeCheckpoint("implement")).toBe(false);
    expect(project.getLastError()?.code).toBe("not-ours");
    expect(project.lines).toEqual(Array(4).fill(`${FILE} is left alone: ${why}`));
    expect(project.read(FILE)).toBe(content);
    expect(project.names()).toEqual([FILE]);
  });

  test("features that a file system takes for one do not overwrite one another", () => {
    const project = plainProject();
    project.updatePhase("implement", "a", {}, "auth");
    // What a file system that does not tell case apart would give for `Auth`.
    project.write("implement-Auth.json", project.read("implement-auth.json"));
    expect(project.updatePhase("implement", "b", {}, "Auth")).toBe(false);
    expect(project.getLastError()?.code).toBe("not-ours");
  });

  const others = [
    { name: "a folder", put: (path: string) => mkdirSync(path) },
    { name: "a link", put: (path: string) => symlinkSync("elsewhere", path) },
    { name: "a pipe", put: (path: string) => void execFileSync("mkfifo", [path]) },
  ];
  test.for(others)("$name", ({ put }) => {
    const project = plainProject();
    project.updatePhase("implement", "a", {}, "other");
    put(join(project.stateDir, FILE));
    expect(project.loadCheckpoint("implement")).toBeNull();
    expect(project.updatePhase("implement", "a", {})).toBe(false);
    expect(project.lines).toEqual(Array(2).fill(`${FILE} is left alone: it is not a regular file`));
  });
});

describe("a file of another hand", () => {
  test("without a version, a revision and events becomes one of today, on the next save", () => {
    const project = aProject();
    const text = `\uFEFF${json({ command: "implement", phases: { a: { status: "complete", mine: 1 } }, mine: { x: 1 } })}`;
    project.write(FILE, text);
    expect(project.loadCheckpoint("implement")).toMatchObject({ version: 1, revision: 0, events: [], mine: { x: 1 } });
    expect(project.read(FILE)).toBe(text);
    expect(project.updatePhase("implement", "b", { status: "in_progress" })).toBe(true);
    expect(JSON.parse(project.read(FILE))).toMatchObject({
      version: 1,
      revision: 1,
      mine: { x: 1 },
      phases: { a: { status: "complete", mine: 1 }, b: { status: "in_progress" } },
    });
    expect(project.lines).toEqual([]);
  });

  test("with phases in its lists only has them still", () => {
    const project = plainProject();
    const state = { current_phase: "b", completed_phases: ["a"], pending_phases: ["c"] };
    project.write(FILE, { command: "implement", version: 1, state, phases: {} });
    expect(project.loadCheckpoint("implement")?.state).toEqual(state);
    expect(project.getResumePoint("implement")).toEqual({ phase: "b", summary: null });
  });
});
