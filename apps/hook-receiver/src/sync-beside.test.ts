import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROMPT_AT } from "@agent-checkpoint/fixtures";
import { describe, expect, test, vi } from "vitest";
import { SILENCE, stageFault } from "./testing/stage-fault.ts";

/** A program in the place of `checkpoint` that writes down with which words it was started. */
function recorder(folder: string) {
  const [script, record] = [join(folder, "record.cjs"), join(folder, "started.txt")];
  writeFileSync(
    script,
    `require("node:fs").appendFileSync(${JSON.stringify(record)}, process.argv.slice(2).join(" ") + "\\n");`,
  );
  const started = () => (existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : []);
  return { program: [process.execPath, script], started };
}

const after = (seconds: number) => ({ at: new Date(PROMPT_AT.getTime() + seconds * 1000) });

const eventually = (started: () => readonly string[], count: number) =>
  vi.waitFor(() => expect(started()).toEqual(Array.from({ length: count }, () => "sync --background")), {
    timeout: 15_000,
  });

const events = ["prompt", "stop"] as const;
test.for(events)("beside a %s a sync is started, once a minute, where the person has joined a team", async (event) => {
  const staged = await stageFault();
  const { program, started } = recorder(staged.home);
  const isSilent = async (seconds: number) => expect(await staged[event](after(seconds))).toEqual(SILENCE);
  // From here on the turn's stops pass.
  await staged.stop();

  // A repository cannot switch it on.
  writeFileSync(join(staged.project, "team.json"), JSON.stringify({ program }));
  await isSilent(300);

  writeFileSync(join(staged.home, "team.json"), JSON.stringify({ program }));
  for (const seconds of [301, 302, 359]) await isSilent(seconds);
  await eventually(started, 1);
  await isSilent(361);
  await eventually(started, 2);
});

describe("a sync is started beside every stop that is recorded", () => {
  const stops: { title: string; event: object; isBlocked: boolean }[] = [
    { title: "one that is blocked", event: {}, isBlocked: true },
    { title: "one that passes by its flag", event: { stop_hook_active: true }, isBlocked: false },
    { title: "one of plan mode", event: { permission_mode: "plan" }, isBlocked: false },
  ];
  test.for(stops)("$title", async ({ event, isBlocked }) => {
    const staged = await stageFault();
    const { program, started } = recorder(staged.home);
    writeFileSync(join(staged.home, "team.json"), JSON.stringify({ program }));
    const { stdout } = await staged.stop({ event });
    expect(stdout.includes('"decision":"block"')).toBe(isBlocked);
    await eventually(started, 1);
  });

  test("for a collector alone, too", async () => {
    const staged = await stageFault();
    const { program, started } = recorder(staged.home);
    writeFileSync(join(staged.home, "otlp.json"), JSON.stringify({ program }));
    expect((await staged.stop()).stdout).toContain('"decision":"block"');
    await eventually(started, 1);
  });

  test("the stop has ended before the sync has", async () => {
    const staged = await stageFault();
    const [script, ended] = [join(staged.home, "slow.cjs"), join(staged.home, "ended.txt")];
    writeFileSync(script, `setTimeout(() => require("node:fs").writeFileSync(${JSON.stringify(ended)}, ""), 3000);`);
    writeFileSync(join(staged.home, "team.json"), JSON.stringify({ program: [process.execPath, script] }));
    await staged.stop();
    expect(existsSync(ended)).toBe(false);
    await vi.waitFor(() => expect(existsSync(ended)).toBe(true), { timeout: 15_000 });
  });
});

const broken = [
  { what: "no JSON", text: "{" },
  { what: "no program", text: "{}" },
  { what: "a program that is gone", text: JSON.stringify({ program: ["/nowhere/node", "/nowhere/checkpoint.mjs"] }) },
];
test.for(broken)("an enrolment with $what keeps no prompt and no stop from its course", async ({ text }) => {
  const staged = await stageFault();
  writeFileSync(join(staged.home, "team.json"), text);
  expect(await staged.prompt()).toEqual(SILENCE);
  expect((await staged.stop()).stdout).toContain('"decision":"block"');
});
