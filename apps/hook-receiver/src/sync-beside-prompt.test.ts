import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROMPT_AT } from "@agent-checkpoint/fixtures";
import { expect, test, vi } from "vitest";
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

test("beside a prompt a sync is started, once a minute, where the person has joined a team", async () => {
  const staged = await stageFault();
  const { program, started } = recorder(staged.home);
  const eventually = (count: number) =>
    vi.waitFor(() => expect(started()).toEqual(Array.from({ length: count }, () => "sync --background")), {
      timeout: 15_000,
    });

  // A repository cannot switch it on.
  writeFileSync(join(staged.project, "team.json"), JSON.stringify({ program }));
  expect(await staged.prompt(after(0))).toEqual(SILENCE);

  writeFileSync(join(staged.home, "team.json"), JSON.stringify({ program }));
  for (const seconds of [1, 2, 59]) expect(await staged.prompt(after(seconds))).toEqual(SILENCE);
  await eventually(1);
  expect(await staged.prompt(after(61))).toEqual(SILENCE);
  await eventually(2);
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
