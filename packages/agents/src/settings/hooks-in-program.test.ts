import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { agentOf } from "../agents.ts";
import { hooksInProgram } from "./hooks-in-program.ts";
import { userCommand } from "../program/hook-command.ts";
import type { WantedHook } from "./plan.ts";

const form = hooksInProgram({ code: "export { ask };\n" });

const OURS = userCommand({ node: "/usr/bin/node", program: "/opt/checkpoint-hook.cjs" }, "--agent pi");

const WANTED: readonly WantedHook[] = [
  { event: "Stop", args: "--agent pi", hook: { type: "command", command: OURS, timeout: 30 } },
];

/** The text of a program with one hook, which runs another command if one is given. */
function programWith(command = OURS, timeout = 30): string {
  const plan = form.plan(null, WANTED);
  const text = plan.ok ? plan.text : "";
  return text.replace(JSON.stringify(OURS), () => JSON.stringify(command)).replace(": 30", `: ${timeout}`);
}

/** What a process prints that has loaded a program, as the agent does. */
function load(text: string, script: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "program.mjs"), text);
  const args = ["-e", `import("./program.mjs").then(${script}).then((value) => console.log(JSON.stringify(value)))`];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", timeout: 20_000 });
}

/** The answer of its hooks. */
function ask(text: string): unknown {
  return JSON.parse(load(text, '({ ask }) => ask("Stop", { cwd: process.cwd(), session_id: "s" })'));
}

describe("a program that passes events on", () => {
  test("gives the hook the event and the agent its answer", () => {
    expect(ask(programWith("cat"))).toMatchObject({ hook_event_name: "Stop", session_id: "s" });
  });

  const faults = [
    { fault: "a missing program", command: "/no/such/program" },
    { fault: "a crash", command: "kill -SEGV $$" },
    { fault: "a failure with words", command: "echo no >&2; exit 2" },
    { fault: "garbage", command: "echo garbage" },
    { fault: "no answer", command: "true" },
    { fault: "an event that is not read", command: "exec <&-; sleep 0.1" },
    { fault: "no answer in time", command: "exec sleep 60", timeout: 0.2 },
  ];
  test.for(faults)("has no answer after $fault", ({ command, timeout }) => {
    expect(ask(programWith(command, timeout))).toBe(null);
  });

  test("has none for an event without hooks, and none in a folder that is gone", () => {
    expect(ask(programWith("cat").replace('"Stop"', '"Other"'))).toBe(null);
    expect(ask(programWith("cat").replace("payload.cwd", '"/no/such/folder"'))).toBe(null);
  });
});

describe("the settings in it", () => {
  test("are read, kept, and taken out again", () => {
    const text = programWith();
    expect(form.plan(text, WANTED)).toMatchObject({ ok: true, text, changes: [{ kind: "kept" }] });
    expect(form.read(text)).toMatchObject({ ok: true, registrations: [{ event: "Stop", isOurs: true }] });
    const removal = form.planRemoval(text);
    expect(removal.ok && form.read(removal.text)).toMatchObject({ ok: true, registrations: [] });
  });

  test("have the lines that they have in the program", () => {
    const text = programWith();
    const read = form.read(text);
    const line = read.ok ? (read.registrations[0]?.line ?? 0) : 0;
    expect(
      text
        .split("\n")
        .slice(line - 1, line + 2)
        .join("\n"),
    ).toContain(JSON.stringify(OURS));
  });

  test("a program of somebody else is left alone", () => {
    const other = "export default () => {};\n";
    for (const result of [form.plan(other, WANTED), form.planRemoval(other), form.read(other)])
      expect(result).toMatchObject({ ok: false, problem: { found: "another" } });
  });

  test.for(["opencode", "pi"] as const)("%s's program is one that the agent can load", (name) => {
    const plan = agentOf(name).hooksForm.plan(null, WANTED);
    const types = load(plan.ok ? plan.text : "", "(all) => Object.values(all).map((one) => typeof one)");
    expect(types).toBe('["function"]\n');
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hooks-in-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
