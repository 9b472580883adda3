import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { planRegistration, settingsOf, userCommand, wantedHooks } from "@agent-checkpoint/agents";
import { expect, test } from "vitest";
import { stageHome } from "../testing/stage-home.ts";
import { changeSettings } from "./change-settings.ts";

const command = (args: string) => userCommand({ node: "/node", program: "/checkpoint-hook.cjs" }, args);
const wanted = wantedHooks(settingsOf("claude"), { command, version: null });
const options = { isDryRun: false, backupTime: new Date(0) };

test("what an agent writes at the same moment is not lost", () => {
  const file = stageHome(["claude"]).at(".claude/settings.json");
  writeFileSync(file, `{ "model": "x" }`);
  let calls = 0;
  const result = changeSettings(
    file,
    (text) => {
      calls += 1;
      if (calls === 1) writeFileSync(file, `{ "model": "y" }`);
      return planRegistration(text, wanted);
    },
    options,
  );
  expect(result.status).toBe("changed");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ model: "y", hooks: { Stop: [{}] } });
  const [copy, ...others] = readdirSync(dirname(file)).filter((name) => name !== "settings.json");
  expect(others).toEqual([]);
  expect(readFileSync(`${dirname(file)}/${copy}`, "utf8")).toBe(`{ "model": "y" }`);
});

test("it gives up on a file that never stays the same", () => {
  const file = stageHome(["claude"]).at(".claude/settings.json");
  writeFileSync(file, "{}");
  let calls = 0;
  const result = changeSettings(
    file,
    (text) => {
      calls += 1;
      writeFileSync(file, `{ "count": ${calls} }`);
      return planRegistration(text, wanted);
    },
    options,
  );
  expect(result).toEqual({ status: "failed", message: "another program keeps changing it" });
  expect(readdirSync(dirname(file))).toEqual(["settings.json"]);
});

test("a plan that would touch what is not ours is not written", () => {
  const file = stageHome(["claude"]).at(".claude/settings.json");
  writeFileSync(file, `{ "model": "x" }`);
  const result = changeSettings(file, () => ({ ok: true, text: "{}" }), options);
  expect(result).toMatchObject({ status: "failed", message: expect.stringContaining("more than our hooks") });
  expect(readFileSync(file, "utf8")).toBe(`{ "model": "x" }`);
});
